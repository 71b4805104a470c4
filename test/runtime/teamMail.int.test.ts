/**
 * Mail to a company's team: who gets it, one mail for each cause and person, and that it leads to the page where the thing is
 * done, by the ids that the settings API has.
 */
import { Effect } from "effect"
import { randomUUID } from "node:crypto"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { JourneyMailbox } from "../../src/actors/journey/actor/JourneyMailbox.ts"
import { MailStore } from "../../src/actors/mail/MailStore.ts"
import { JourneyId } from "../../src/schema/ids.ts"
import { askSettings, makeCompany, start, startBody, type TestCompany } from "../support/companies.ts"
import { eventually } from "../support/eventually.ts"
import { addMember } from "../support/members.ts"
import { owe } from "../support/owedMail.ts"
import { startService, type Service } from "../support/service.ts"
import {
  decide,
  journeyAt,
  reviewOf,
  simulate,
  slowCompany,
  unavailableJourney
} from "../http/api/settings/reviewGround.ts"
import { MailId } from "../../src/schema/ids.ts"

let service: Service
beforeAll(async () => {
  service = await startService({ BASE_URL: "https://journeys.example" })
})
afterAll(() => service.stop())

interface Shown {
  readonly kind: string
  readonly to: string
  readonly text: string
}

const mailsAbout = async (journeyId: string, kind: string, many: number): Promise<ReadonlyArray<string>> => {
  const { content } = await eventually(
    async () => (await askSettings(service, `/mail?journeyId=${journeyId}`)).data,
    (data) => data.content.filter((mail: Shown) => mail.kind === kind).length === many
  )
  return content.filter((mail: Shown) => mail.kind === kind).map(({ text }: Shown) => text)
}

describe("a mail that asks for a review", () => {
  it("opens the review that waits, and the next time the next one", async () => {
    const company = await slowCompany(service)
    const journey = await journeyAt(service, company, "IDENTITY_DELIVERY", "identity.under_review")
    const first = await reviewOf(service, company, journey.id)
    const [mail] = await mailsAbout(journey.id, "REVIEW_NEEDED", 1)
    expect(mail).toContain(`Open the review: https://journeys.example/console/reviews/${first}\n`)
    expect((await decide(service, company, first)).status).toBe(200)
    await simulate(service, company, journey.id, "delivery.under_review")
    const second = await reviewOf(service, company, journey.id)
    expect(second).not.toBe(first)
    const [newest] = await mailsAbout(journey.id, "REVIEW_NEEDED", 2)
    expect(newest).toContain(`/console/reviews/${second}\n`)
  })
})

describe("a mail about a check that could not be started", () => {
  it("opens the journey, where the check is resent", async () => {
    const company = await slowCompany(service)
    const journey = await unavailableJourney(service, company)
    const [mail] = await mailsAbout(journey.id, "CHECK_UNAVAILABLE", 1)
    expect(mail).toContain(`Open the journey: https://journeys.example/console/journeys/${journey.id}\n`)
  })
})

const boss = "boss@harbour.example"

const liveCompany = () =>
  makeCompany(service, { adminEmail: boss, credits: 10, settings: { identityProvider: { kind: "BUILT_IN" } } })

/** A live journey whose identity check waits for the team. */
const underReview = async ({ liveKey }: TestCompany): Promise<string> => {
  const { data } = await start(service, liveKey, startBody("IDENTITY_DELIVERY"))
  await service.run(
    Effect.flatMap(JourneyMailbox, (mailbox) =>
      mailbox.ask(JourneyId.make(data.id), {
        messageId: randomUUID(),
        sender: "test",
        scope: null,
        message: { _tag: "IdentityUnderReview", check: 1 },
        sealedNote: null,
        sealedPhoto: null
      })
    )
  )
  return data.id
}

interface Row {
  readonly id: string
  readonly memberId: string | null
  readonly due: boolean
  readonly sent: boolean
}

const rowsOf = (companyId: string, kind: string) =>
  eventually(
    () =>
      service.query<Row>(
        `select id, member_id as "memberId", due_at is not null as due, sent_at is not null as sent from mails
         where company_id = $1 and kind = $2 order by cause`,
        [companyId, kind]
      ),
    (rows) => rows.length > 0 && rows.every(({ due }) => !due)
  )

/** Who got mail of this kind, from the built-in mailbox. */
const recipients = async (companyId: string, kind: string): Promise<ReadonlyArray<string>> => {
  await rowsOf(companyId, kind)
  const { content } = (await askSettings(service, "/mail?size=100")).data
  return content
    .filter((mail: Shown & { readonly companyId: string }) => mail.companyId === companyId && mail.kind === kind)
    .map(({ to }: Shown) => to)
    .toSorted()
}

const choose = async (company: TestCompany, memberId: string, notices: boolean) => {
  const path = `/companies/${company.id}/members/${memberId}/notices`
  const answer = await askSettings(service, path, { method: "PUT", body: { notices } })
  expect([answer.status, answer.data.notices]).toEqual([200, notices])
}

describe("mail to the team of a live journey", () => {
  it("goes to nobody who has never signed in, but for the administrator: an invitation may have been mistyped", async () => {
    const company = await liveCompany()
    const tom = await addMember(service, company.id, { email: "tom@harbour.example", isSeen: false, role: "TEAM" })
    await addMember(service, company.id, { email: "zoe@harbour.example", isSeen: false, role: "OWNER" })
    await underReview(company)
    expect(await recipients(company.id, "REVIEW_NEEDED")).toEqual([boss])
    await service.query("update members set seen_at = now() where id = $1", [tom])
    await underReview(company)
    expect(await recipients(company.id, "REVIEW_NEEDED")).toEqual([boss, boss, "tom@harbour.example"])
  })

  it("goes to every member who wants it, owners and team, once each, however often it is shared out", async () => {
    const company = await liveCompany()
    await addMember(service, company.id, { email: "zoe@harbour.example", role: "OWNER" })
    await addMember(service, company.id, { email: "tom@harbour.example", role: "TEAM" })
    await choose(company, await addMember(service, company.id, { email: "quiet@harbour.example", role: "TEAM" }), false)
    await underReview(company)
    expect(await recipients(company.id, "REVIEW_NEEDED")).toEqual([boss, "tom@harbour.example", "zoe@harbour.example"])
    const before = await rowsOf(company.id, "REVIEW_NEEDED")
    expect(before.map(({ sent }) => sent)).toEqual([true, true, true])
    expect(new Set(before.map(({ memberId }) => memberId)).size).toBe(3)
    const [first] = before
    await service.query("update mails set member_id = null, sent_at = null, due_at = now() where id = $1", [first?.id])
    for (const _ of [1, 2]) {
      await service.run(Effect.flatMap(MailStore, (store) => store.share(MailId.make(first?.id ?? ""), "TEAM")))
    }
    expect(await rowsOf(company.id, "REVIEW_NEEDED")).toHaveLength(3)
  })

  it("goes to nobody when nobody wants it, and to the administrator when the company has no member", async () => {
    const [silent, empty] = [await liveCompany(), await liveCompany()]
    const [member] = (await askSettings(service, `/companies/${silent.id}/members`)).data.content
    await choose(silent, member.id, false)
    await service.query("delete from members where company_id = $1", [empty.id])
    await underReview(silent)
    await underReview(empty)
    expect((await rowsOf(silent.id, "REVIEW_NEEDED")).map(({ sent }) => sent)).toEqual([false])
    expect(await recipients(empty.id, "REVIEW_NEEDED")).toEqual([boss])
  })
})

it("mail about an endpoint goes to every owner, also to those who want no mail to the team, and to nobody else", async () => {
  const company = await liveCompany()
  const owner = await addMember(service, company.id, { email: "zoe@harbour.example", role: "OWNER" })
  await addMember(service, company.id, { email: "tom@harbour.example", role: "TEAM" })
  await choose(company, owner, false)
  await owe(service.databaseUrl, { companyId: company.id, causes: ["an endpoint fails"] })
  expect(await recipients(company.id, "ENDPOINT_FAILING")).toEqual([boss, "zoe@harbour.example"])
})
