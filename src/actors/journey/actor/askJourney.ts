/**
 * The one way to send a journey a message and to read its answer. A message that changed something gives the journey as it
 * is now; any other answer is a `JourneyRefused`. What a refusal means to the sender is the sender's business.
 */
import { Data, Effect } from "effect"
import type { SentAuditLine } from "../../../schema/company/AuditEntry.ts"
import type { JourneyMessage } from "../../../schema/journey/messages.ts"
import type { JourneyResource } from "../../../schema/journey/resource.ts"
import type { Scope } from "../../kernel/Scope.ts"
import type { JourneyUnreadable, OutcomeUnknown, StoreUnavailable } from "../../kernel/StoreError.ts"
import { CurrentRequestId } from "../../kernel/RequestId.ts"
import { customerKeyOf, Vault } from "../../kernel/Vault.ts"
import type { Answer } from "./JourneyEntity.ts"
import { JourneyMailbox } from "./JourneyMailbox.ts"
import { JourneyStore, notePlace, photoPlace } from "./JourneyStore.ts"
import type { JourneyId } from "../../../schema/ids.ts"

export interface JourneyAsk {
  readonly journeyId: JourneyId
  /** The same id makes a repeated message one message. */
  readonly messageId: string
  readonly sender: string
  /** A caller reaches the journeys of its own company and mode; null is for the service's own senders. */
  readonly scope: Scope | null
  readonly message: JourneyMessage
  /** Written with what the message does, into the audit log of the journey's company. */
  readonly auditLine?: SentAuditLine
}

/** What goes along with a message and is personal: it is kept under the customer's key and nowhere else. */
export interface Personal {
  /** Free text for the journal. */
  readonly note: string
  readonly photo?: Uint8Array | null
}

type RefusedAnswer = Exclude<Answer, { readonly _tag: "Done" }>

/** The journey exists no longer for this sender, or says no. Nothing was changed. */
export class JourneyRefused extends Data.TaggedError("JourneyRefused")<{ readonly refusal: RefusedAnswer }> {}

/** What was asked is done; `isReplay`: it was done before, for the same message. */
export interface Done {
  readonly journey: JourneyResource
  readonly isReplay: boolean
}

type Asking<A, R = never> = Effect.Effect<A, JourneyRefused | StoreUnavailable | OutcomeUnknown, R>

interface Sealed {
  readonly sealedNote: string | null
  readonly sealedPhoto: string | null
}

const nothingSealed: Sealed = { sealedNote: null, sealedPhoto: null }

const doneThrough = (
  mailbox: JourneyMailbox["Service"],
  { auditLine, journeyId, messageId, sender, scope, message }: JourneyAsk,
  { sealedNote, sealedPhoto }: Sealed = nothingSealed
): Asking<Done> =>
  Effect.flatMap(
    Effect.flatMap(CurrentRequestId, (requestId) =>
      mailbox.ask(journeyId, {
        messageId,
        sender,
        scope,
        message,
        sealedNote,
        sealedPhoto,
        ...(requestId === null ? {} : { requestId }),
        ...(auditLine === undefined ? {} : { auditLine })
      })
    ),
    (answer): Asking<Done> =>
      answer._tag === "Done"
        ? Effect.succeed({ journey: answer.journey, isReplay: answer.isReplay === true })
        : Effect.fail(new JourneyRefused({ refusal: answer }))
  )

const journeyOf = ({ journey }: Done): JourneyResource => journey

/** For a sender that holds the mailbox. */
export const askThrough = (mailbox: JourneyMailbox["Service"], ask: JourneyAsk): Asking<JourneyResource> =>
  Effect.map(doneThrough(mailbox, ask), journeyOf)

/** For a sender who tells whether the message was a repeated one. */
export const doneByJourney = (ask: JourneyAsk): Asking<Done, JourneyMailbox> =>
  Effect.flatMap(JourneyMailbox, (mailbox) => doneThrough(mailbox, ask))

type ScopedAsk = JourneyAsk & { readonly scope: Scope }

type AskingWith<A> = Effect.Effect<
  A,
  Effect.Error<Asking<A>> | JourneyUnreadable,
  JourneyMailbox | JourneyStore | Vault
>

/** The same for a sender inside the company's scope. Nothing personal is kept of a customer who was erased. */
export const doneByJourneyWith = (ask: ScopedAsk, personal: Personal): AskingWith<Done> =>
  Effect.flatMap(JourneyMailbox, (mailbox) =>
    Effect.flatMap(sealed(ask, personal), (both) => doneThrough(mailbox, ask, both))
  )

export const askJourney = (ask: JourneyAsk): Asking<JourneyResource, JourneyMailbox> =>
  Effect.map(doneByJourney(ask), journeyOf)

/** Like `askJourney`, with what is personal. */
export const askJourneyWith = (ask: ScopedAsk, personal: Personal): AskingWith<JourneyResource> =>
  Effect.map(doneByJourneyWith(ask, personal), journeyOf)

const sealed = Effect.fnUntraced(function* (
  { journeyId, scope }: { readonly journeyId: JourneyId; readonly scope: Scope },
  { note, photo = null }: Personal
): Effect.fn.Return<Sealed, StoreUnavailable | JourneyUnreadable, JourneyStore | Vault> {
  const store = yield* JourneyStore
  const vault = yield* Vault
  const key = yield* store.customerKey(journeyId, scope)
  if (key === null) return nothingSealed
  const opened = yield* customerKeyOf(vault, key.wrappedKey)
  return {
    sealedNote: base64(opened.seal(notePlace(journeyId), note)),
    sealedPhoto: photo === null ? null : base64(opened.sealBytes(photoPlace(journeyId), photo))
  }
})

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString("base64")
