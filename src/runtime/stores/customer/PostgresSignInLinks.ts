/**
 * One-time links in PostgreSQL. A token is random, and the table keeps a hash of it. A mail that is sent twice has two links: both
 * are open until one is spent, and both are spent with it. A link is open while it is unspent, in time and of the newest mail of its
 * step, and its journey runs. Spending the link and opening its session are one statement.
 */
import { PgTypes } from "@effect/sql-pg"
import { Clock, Duration, Effect, Layer, Option, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { customerLimits } from "../../../actors/customer/limits.ts"
import { hashSecret } from "../../../actors/kernel/secrets.ts"
import { SignInLinks, type LinkMail, type LinkState } from "../../../actors/customer/SignInLinks.ts"
import { recordPlace } from "../../../actors/journey/actor/JourneyStore.ts"
import { Ids } from "../../../actors/kernel/Ids.ts"
import type { StoreUnavailable } from "../../../actors/kernel/StoreError.ts"
import { customerKeyOf, Vault } from "../../../actors/kernel/Vault.ts"
import { Brand } from "../../../schema/company/Brand.ts"
import { JourneyStatus } from "../../../schema/journey/statuses.ts"
import { customerSteps } from "../../../schema/journey/steps.ts"
import { batchSource, batchStatement, eachItem } from "../../postgres/batchStatement.ts"
import { batchLimits } from "../../postgres/limits.ts"
import { arrayParameter, before, uuidArray } from "../../postgres/parameters.ts"
import { column, rowModel, type RowOf } from "../../postgres/rows.ts"
import { makeSqlBatcher } from "../../postgres/sqlBatcher.ts"
import { repeatableBatchedWrite, repeatableWrite, storeRead } from "../../postgres/storeCalls.ts"
import { withStatementTimeout } from "../../postgres/timeouts.ts"
import { JourneyId } from "../../../schema/ids.ts"
import { knownLanguages, languageColumns, languageFields } from "./PostgresCustomerLanguage.ts"
import { endedSession, EndedSessionRow } from "../kernel/endedSession.ts"
import { firstLinkOf } from "../kernel/firstLinkOf.ts"
import { makeOpening } from "../kernel/openedSession.ts"
import { makeSecretMarks } from "../kernel/secretMarks.ts"
import { spentLinks } from "../kernel/spentLinks.ts"

/** The time by which the journey `j` runs: that of its test clock, or else the real one. */
const timeOf = (now: string) =>
  `coalesce((select k.at from sandbox_clocks k where k.id = j.clock_id), ${now}::timestamptz)`

/** Of a link `l` of a journey `j`. */
const isOpen = (now: string) => `
  l.used_at is null and l.expires_at > ${timeOf(now)} and not exists (
    select from sign_in_links u where u.of_mail = l.of_mail and u.used_at is not null
  ) and not exists (
    select from sign_in_links n where n.journey_id = l.journey_id and n.step = l.step and coalesce(n.of_mail, n.mail_id) <> coalesce(l.of_mail, l.mail_id)
      and (n.issued_at, n.token_hash) > (l.issued_at, l.token_hash))`

interface IssuedLink extends LinkMail {
  readonly id: string
  readonly token: string
  readonly expiresAt: number
}

// The link of a mail that is tried again is as old as the first, and spent if that one is; its life begins again, because it is read
// later.
const issueStatement = batchStatement(
  {
    links: batchSource<IssuedLink, IssuedLink>(eachItem, {
      tokenHash: ["bytea", ({ token }) => hashSecret(token)],
      id: ["uuid", ({ id }) => id],
      mailId: ["uuid", ({ mailId }) => mailId],
      journeyId: ["uuid", ({ journeyId }) => journeyId],
      step: ["text", ({ step }) => step],
      issuedAt: ["timestamptz", ({ issuedAt }) => issuedAt],
      expiresAt: ["timestamptz", ({ expiresAt }) => expiresAt],
      clockId: ["uuid", ({ clock }) => clock]
    })
  },
  ({ links }) => `
insert into sign_in_links (token_hash, mail_id, of_mail, journey_id, step, issued_at, expires_at, used_at, is_marked)
select t.token_hash, t.id, t.mail_id, t.journey_id, t.step, coalesce(o.issued_at, t.issued_at),
  t.expires_at + coalesce((select k.at - t.issued_at from sandbox_clocks k where k.id = t.clock_id), interval '0'), o.used_at, true
from (${links}) t cross join lateral (${firstLinkOf("sign_in_links", "t.mail_id")}) o
on conflict (token_hash) do nothing`
)

// A telephone's link belongs to no mail: the id is its own.
const issueForTelephoneStatement = `
insert into sign_in_links (token_hash, mail_id, journey_id, step, issued_at, expires_at, is_marked)
select $1, $2, j.id, j.step, $5, $6::timestamptz + (${timeOf("$5")} - $5::timestamptz), true from journeys j
where j.id = $3 and j.status = 'ACTIVE' and j.step = $4
  and (select count(*) from sign_in_links l where l.journey_id = j.id and l.issued_at > $7) < $8
returning journey_id`

const lookStatement = `
select l.journey_id, l.step, o.name as company_name, o.brand, j.status, ${isOpen("$2")} as is_open,
  ${languageColumns("c", "o")}, c.wrapped_key,
  (select p.sealed from personal_records p where p.journey_id = j.id and j.status <> 'ACTIVE') as record
from sign_in_links l join journeys j on j.id = l.journey_id join companies o on o.id = j.company_id
  left join customers c on c.id = j.customer_id
where l.token_hash = $1`

const LinkRow = rowModel({
  journeyId: column.id(JourneyId),
  step: column.oneOf(Schema.Literals(customerSteps)),
  companyName: column.text,
  brand: column.ofSchema(Brand),
  status: column.oneOf(JourneyStatus),
  isOpen: column.bool,
  /** Only of ended journeys, for the name of the seller. */
  record: column.orNull(column.bytes),
  wrappedKey: column.orNull(column.bytes),
  ...languageFields
})

/**
 * A link from a mail ends the sessions of older links. A link that an open session showed as a QR code belongs to no mail and ends
 * none: the session that it came from goes on, unless the journey has too many.
 */
const signInStatement = `
with ${spentLinks(
  "sign_in_links",
  `select l.token_hash, l.of_mail from sign_in_links l join journeys j on j.id = l.journey_id
    where l.token_hash = $1 and j.status = 'ACTIVE' and ${isOpen("$2")}`
)}, living as (
  select s.id, row_number() over (order by s.opened_at desc, s.id desc) as place
  from customer_sessions s join spent on s.journey_id = spent.journey_id
  where s.seen_at > $5 and s.opened_at > $4 and s.secret_hash is distinct from $6
), gone as (
  delete from customer_sessions s using spent where s.journey_id = spent.journey_id and (
    s.opened_at <= $4
    or s.id in (select id from living where place >= ${customerLimits.mostSessions})
    or spent.of_mail is not null and not exists (
      select from sign_in_links l where l.token_hash = s.link_hash and l.issued_at >= spent.issued_at
    ))
  returning s.id, s.link_hash
), opened as (
  insert into customer_sessions (secret_hash, link_hash, journey_id, opened_at, seen_at, is_marked)
  select $3, token_hash, journey_id, $2, $2, true from spent
  returning journey_id
)
select o.journey_id, e.id, e.link_hash from opened o left join gone e on true`

/** The sessions of the link's journey, which may end with a sign-in. */
const besideStatement = `
select s.id, s.link_hash from customer_sessions s
where s.journey_id = (select l.journey_id from sign_in_links l where l.token_hash = $1)`

/** The session of the secret $1, with those of $2 that are there no more. */
const openedStatement = `
select s.journey_id, e.id, e.link_hash from customer_sessions s
  left join unnest($2::uuid[], $3::bytea[]) e (id, link_hash) on not exists (select from customer_sessions o where o.id = e.id)
where s.secret_hash = $1`

/** The session that was opened, with each session that ended with it; one row without any. */
const OpenedRow = rowModel({
  journeyId: column.id(JourneyId),
  id: column.orNull(column.text),
  linkHash: column.orNull(column.bytes)
})

const endedBy = (rows: ReadonlyArray<RowOf<typeof OpenedRow>>) =>
  rows.flatMap(({ id, linkHash }) => (id === null || linkHash === null ? [] : [endedSession({ id, linkHash })]))

/** The journey whose session was opened, and what ended with it; null when none was opened. */
const firstOf = <E, R>(rows: Effect.Effect<ReadonlyArray<RowOf<typeof OpenedRow>>, E, R>) =>
  Effect.map(rows, (opened) => {
    const [first] = opened
    return first === undefined ? null : { journeyId: first.journeyId, ended: endedBy(opened) }
  })

type LinkRow = ReturnType<typeof LinkRow.decodeRow>

const companyOf = ({ brand, companyName }: LinkRow) => ({ name: companyName, brand })

const runningState = (link: LinkRow): LinkState => {
  const { journeyId, step } = link
  return link.isOpen
    ? { _tag: "OPEN", journeyId, step, company: companyOf(link), languages: knownLanguages(link) }
    : { _tag: "ENDED", journeyId }
}

/** Of everything that the start said, an ended link shows the seller whom the start named. */
const readSeller = Schema.decodeUnknownOption(
  Schema.fromJsonString(Schema.Struct({ externalCompanyName: Schema.String }))
)

const hashed = (token: string) => PgTypes.bytea(hashSecret(token))

export const layer = Layer.effect(
  SignInLinks,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const vault = yield* Vault
    const ids = yield* Ids
    const links = yield* makeSecretMarks("sign_in_links")
    const sessions = yield* makeSecretMarks("customer_sessions")
    const opening = yield* makeOpening

    const issue = yield* makeSqlBatcher({
      ...batchLimits.signInLinkWrite,
      name: "SignInLinks.issue",
      keyOf: ({ mailId }: IssuedLink) => mailId,
      run: (links: ReadonlyArray<IssuedLink>) =>
        Effect.as(
          withStatementTimeout(sql.unsafe(...issueStatement(links))),
          links.map(() => undefined)
        )
    })

    /** Null: the start named no seller, or the customer was erased. */
    const sellerOf = Effect.fnUntraced(function* ({ journeyId, record, wrappedKey }: LinkRow) {
      if (record === null || wrappedKey === null) return null
      const key = yield* customerKeyOf(vault, wrappedKey)
      const started = readSeller(yield* Effect.orDie(key.open(recordPlace(journeyId), record)))
      return Option.match(started, { onNone: () => null, onSome: ({ externalCompanyName }) => externalCompanyName })
    })

    const stateOf = Effect.fnUntraced(function* (link: LinkRow): Effect.fn.Return<LinkState, StoreUnavailable> {
      const { journeyId, status } = link
      if (status === "ACTIVE") return runningState(link)
      const ended = { status, company: companyOf(link), sellerName: yield* sellerOf(link) }
      return { _tag: "CLOSED", journeyId, ended }
    })

    return SignInLinks.of({
      issue: Effect.fnUntraced(function* (mail) {
        const token = links.next()
        const expiresAt = mail.issuedAt + Duration.toMillis(customerLimits.linkLifetime)
        yield* repeatableBatchedWrite(issue({ ...mail, id: ids.next(), token, expiresAt }))
        return token
      }),
      issueForTelephone: Effect.fnUntraced(function* ({ id, journeyId, step }) {
        const now = yield* Clock.currentTimeMillis
        const token = links.next()
        const issued = yield* repeatableWrite(
          sql.unsafe(issueForTelephoneStatement, [
            hashed(token),
            id,
            journeyId,
            step,
            new Date(now),
            new Date(now + Duration.toMillis(customerLimits.telephoneLinkLifetime)),
            new Date(now - Duration.toMillis(customerLimits.telephoneLinksCountedFor)),
            customerLimits.mostTelephoneLinks
          ])
        )
        return issued.length > 0 ? token : null
      }),
      look: Effect.fnUntraced(function* (token) {
        if (!(yield* links.mayBeThere(token))) return { _tag: "UNKNOWN" }
        const now = yield* Clock.currentTimeMillis
        const link = yield* storeRead(LinkRow.first(sql.unsafe(lookStatement, [hashed(token), new Date(now)])))
        return link === null ? { _tag: "UNKNOWN" } : yield* stateOf(link)
      }),
      signIn: Effect.fnUntraced(function* (token, left) {
        if (!(yield* links.mayBeThere(token))) return null
        const now = yield* Clock.currentTimeMillis
        const secret = sessions.next()
        const beside = yield* storeRead(EndedSessionRow.all(sql.unsafe(besideStatement, [hashed(token)])))
        const besideIds = uuidArray(beside.map(({ id }) => id))
        const besideLinks = arrayParameter(
          beside.map(({ linkHash }) => linkHash),
          "bytea"
        )
        const session = yield* opening({
          open: firstOf(
            OpenedRow.all(
              sql.unsafe(signInStatement, [
                hashed(token),
                new Date(now),
                hashed(secret),
                before(now, customerLimits.sessionLifetime),
                before(now, customerLimits.sessionIdleTime),
                left === null ? null : hashed(left)
              ])
            )
          ),
          opened: firstOf(OpenedRow.all(sql.unsafe(openedStatement, [hashed(secret), besideIds, besideLinks]))),
          ended: ({ ended }) => ended
        })
        return session === null ? null : { secret, journeyId: session.journeyId }
      })
    })
  })
)
