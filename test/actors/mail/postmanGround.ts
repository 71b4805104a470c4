/** A postman with a store and a mailer in memory, and what it did in order. Not a test itself. */
import { assert } from "@effect/vitest"
import { Duration, Effect, Layer } from "effect"
import { AuditLog } from "../../../src/actors/company/AuditLog.ts"
import { StoreUnavailable } from "../../../src/actors/kernel/StoreError.ts"
import { SignInLinks } from "../../../src/actors/customer/SignInLinks.ts"
import { ConsoleLinks } from "../../../src/actors/members/ConsoleLinks.ts"
import { Members } from "../../../src/actors/members/Members.ts"
import { mailLimits } from "../../../src/actors/mail/limits.ts"
import { Mailbox } from "../../../src/actors/mail/Mailbox.ts"
import { Mailer } from "../../../src/actors/mail/Mailer.ts"
import { MailAllowances } from "../../../src/actors/mail/allowances/MailAllowances.ts"
import { MailStandings } from "../../../src/actors/mail/allowances/MailStandings.ts"
import type { MailRoom } from "../../../src/actors/mail/mailPlaces.ts"
import { MailStore } from "../../../src/actors/mail/MailStore.ts"
import * as Postman from "../../../src/actors/mail/sending/Postman.ts"
import { Recipients } from "../../../src/actors/mail/Recipients.ts"
import { ServiceAddress } from "../../../src/actors/mail/ServiceAddress.ts"
import * as NodeIds from "../../../src/runtime/node/NodeIds.ts"
import type { MailKind } from "../../../src/schema/mail/mailKinds.ts"
import { failing } from "../../support/owedMail.ts"
import { plainBrand } from "../../../src/schema/company/Brand.ts"
import { CompanyId } from "../../../src/schema/ids.ts"
import { MailId, MemberId } from "../../../src/schema/ids.ts"
import type { Member } from "../../../src/schema/members/Member.ts"
import { exampleId } from "../../../src/schema/exampleId.ts"

const company = {
  id: CompanyId.make("company"),
  name: "Harbour Cars",
  adminEmail: "owner@harbourcars.example",
  brand: plainBrand
}

interface Wishes {
  /** Whether the store takes what is to be recorded. */
  readonly isWriting?: () => boolean
  readonly mail?: { readonly kind: MailKind; readonly facts: unknown }
  readonly find?: Recipients["Service"]["find"]
  readonly baseUrl?: string | null
  /** What the mail's address has had. */
  readonly admit?: MailAllowances["Service"]["admit"]
  /** The member whom the mail is for, as the store knows them. */
  readonly member?: Member | null
  /** Is told of each link that is made for a customer. */
  readonly onLink?: () => void
  /** Whether the built-in mailbox keeps the mail. */
  readonly isKept?: boolean
}

/** A member whom nobody has removed. */
const ann: Member = {
  id: MemberId.make(exampleId("member", 1)),
  companyId: company.id,
  email: "ann@example.com",
  role: "TEAM",
  invitedAt: 0,
  seenAt: null,
  notices: true,
  passkeys: 0
}

const uncounted = () => Effect.succeed(null)

/** One owed mail in memory, a postman, and what he did: told in order, with the times recorded. */
export const oneMail = (
  send: Mailer["Service"]["send"],
  {
    admit = uncounted,
    baseUrl = null,
    find = () => Effect.succeed(null),
    isWriting = () => true,
    mail = failing,
    member = ann,
    onLink = () => undefined
  }: Wishes = {}
) => {
  const told: Array<string> = []
  let dueAt: number | null = 0
  let tries = 0
  const record = (what: string, next: number | null) =>
    Effect.suspend(() => {
      if (!isWriting()) return Effect.fail(new StoreUnavailable({ cause: "away" }))
      dueAt = next
      told.push(what)
      return Effect.void
    })
  const store = MailStore.of({
    take: ({ kinds, now, until }) =>
      Effect.sync(() => {
        if (dueAt === null || dueAt > now || !kinds.includes(mail.kind)) return []
        dueAt = until
        tries += 1
        return [
          {
            id: MailId.make("mail"),
            ...mail,
            company,
            livemode: true,
            tries,
            memberId: null,
            journeyId: null,
            traceparent: null
          }
        ]
      }),
    share: () => Effect.succeed("ADMINISTRATOR"),
    sent: (_, at) => record(`sent ${at}`, null),
    postponed: (taking, at) => record(`${taking.tries} postponed ${at}`, at),
    again: (taking, at) => record(`${taking.tries} again ${at}`, at),
    givenUp: (taking, at, { isRefused, note }) =>
      record(
        `${taking.tries} given up ${at}${isRefused ? ", refused" : ""}${note === null ? "" : `, with a note about ${note.mail}`}`,
        null
      ),
    struckOff: (taking, at) => record(`${taking.tries} struck off ${at}`, null),
    kept: () => Effect.void,
    list: () => Effect.succeed({ content: [], totalElements: 0 })
  })
  const mailer = Mailer.of({
    send: (message) =>
      Effect.andThen(
        Effect.sync(() => told.push("handed over")),
        send(message)
      )
  })
  return { told, layer: postman(store, mailer, { admit, baseUrl, find, isKept: false, member, onLink }) }
}

const postman = (
  store: MailStore["Service"],
  mailer: Mailer["Service"],
  { admit, baseUrl, find, isKept, member, onLink }: Required<Omit<Wishes, "isWriting" | "mail">>
) =>
  Postman.layer.pipe(
    Layer.provide([
      Layer.succeed(MailStore, store),
      Layer.succeed(Mailer, mailer),
      NodeIds.layer,
      Layer.succeed(Mailbox, { list: isKept ? () => Effect.succeed({ content: [], totalElements: 0 }) : null }),
      Layer.succeed(MailAllowances, { admit }),
      Layer.mock(MailStandings, { judge: () => Effect.void }),
      Layer.succeed(Recipients, { find }),
      Layer.succeed(SignInLinks, {
        issue: ({ mailId }) => Effect.sync(() => (onLink(), `token-of-${mailId}`)),
        look: () => Effect.succeed({ _tag: "UNKNOWN" }),
        issueForTelephone: () => Effect.succeed(null),
        signIn: () => Effect.succeed(null)
      }),
      Layer.mock(ConsoleLinks, {
        issue: ({ mailId }) => Effect.succeed({ token: `token-of-${mailId}`, email: "ann@example.com", role: "TEAM" })
      }),
      Layer.mock(AuditLog, {}),
      Layer.mock(Members, { find: () => Effect.succeed(member), emailsOf: () => Effect.succeed(new Map()) }),
      Layer.succeed(ServiceAddress, { baseUrl })
    ])
  )

/** How many mails of the one company, none of which was asked for, fit. */
const fittingIn = ({ isForAsked, leftOf, most, mostOfOne }: MailRoom) => {
  const known = leftOf.find(({ companyId, livemode }) => companyId === company.id && livemode)
  return isForAsked ? 0 : Math.max(0, Math.min(most, known?.left ?? mostOfOne))
}

/** Many owed mails of one company, due at once, and a postman whose mailer is told which of them it has in hand. */
export const manyMails = (
  count: number,
  send: (mailId: string) => Effect.Effect<void>,
  fitting = fittingIn,
  { find = () => Effect.succeed(null), isKept = false, mail = failing }: Pick<Wishes, "find" | "isKept" | "mail"> = {}
) => {
  const waiting = Array.from({ length: count }, (_, number) => ({
    id: MailId.make(`mail ${number}`),
    ...mail,
    company,
    livemode: true,
    tries: 1,
    memberId: null,
    journeyId: null,
    traceparent: null
  }))
  const sent: Array<string> = []
  const looks: Array<MailRoom> = []
  const failed: Array<string> = []
  const store = MailStore.of({
    take: ({ room }) =>
      Effect.sync(() => {
        looks.push(room)
        return waiting.splice(0, fitting(room))
      }),
    share: () => Effect.succeed("ADMINISTRATOR"),
    sent: (id) => Effect.sync(() => void sent.push(id)),
    again: ({ id }) => Effect.sync(() => void failed.push(id)),
    postponed: () => Effect.void,
    givenUp: () => Effect.void,
    struckOff: () => Effect.void,
    kept: () => Effect.void,
    list: () => Effect.succeed({ content: [], totalElements: 0 })
  })
  const mailer = Mailer.of({ send: ({ mailId }) => send(mailId) })
  return {
    sent,
    waiting,
    looks,
    failed,
    layer: postman(store, mailer, {
      member: null,
      admit: uncounted,
      baseUrl: null,
      find,
      isKept,
      onLink: () => undefined
    })
  }
}

/** The mail was sent at the first look at this time or after it. */
export const assertSentSoon = (told: ReadonlyArray<string>, due: number) => {
  const [handedOver, sent = "", ...more] = told
  assert.deepStrictEqual([handedOver, more], ["handed over", []])
  const at = Number(/^sent (\d+)$/.exec(sent)?.[1])
  assert.isTrue(at >= due && at <= due + Duration.toMillis(mailLimits.lookEvery), sent)
}
