/**
 * Commits as columns: one array for each parameter of the statements in `journeyStatements.ts`, in their order. A value
 * that cannot be a value of its column throws here or is refused by the client, before anything is sent.
 */
import { PgTypes } from "@effect/sql-pg"
import type { Commit, StartCommit } from "../../actors/journey/actor/JourneyStore.ts"
import { waitingOnOf } from "../../actors/journey/rules/waiting.ts"
import { typeOfShape } from "../../schema/journey/statuses.ts"
import { column } from "../postgres/columns.ts"
import { uuidArray } from "../postgres/parameters.ts"

const { OID } = PgTypes

const date = (millis: number | null): Date | null => (millis === null ? null : new Date(millis))

const eventColumns = (commits: ReadonlyArray<Commit | StartCommit>) => {
  const events = commits.flatMap(({ events, journey }) => events.map((event) => ({ ...event, journeyId: journey.id })))
  return [
    column(events, OID.uuid, (event) => event.journeyId),
    column(events, OID.int4, (event) => event.sequence),
    column(events, OID.uuid, (event) => event.id),
    column(events, OID.text, (event) => event.type),
    column(events, OID.text, (event) => event.body),
    column(events, OID.timestamptz, (event) => date(event.createdAt))
  ]
}

/** Few commits have a photo: they are columns of their own. */
const photoColumns = (commits: ReadonlyArray<Commit | StartCommit>) => {
  const photos = commits.flatMap(({ journey, sealedPhoto }) =>
    sealedPhoto === null ? [] : [{ journeyId: journey.id, sealedPhoto }]
  )
  return [column(photos, OID.uuid, (one) => one.journeyId), column(photos, OID.bytea, (one) => one.sealedPhoto)]
}

/** What operators count and follow journeys by: columns of their own, because the state is opaque to the database. */
const watchedColumns = (commits: ReadonlyArray<Commit | StartCommit>) => [
  column(commits, OID.text, ({ journey }) => typeOfShape[journey.shape]),
  column(commits, OID.text, ({ journey }) => waitingOnOf(journey)),
  column(commits, OID.text, ({ traceparent }) => traceparent)
]

const mailColumns = (commits: ReadonlyArray<Commit | StartCommit>) => {
  const mails = commits.flatMap(({ journey, mails }) => mails.map((mail) => ({ ...mail, journeyId: journey.id })))
  return [
    column(mails, OID.uuid, (mail) => mail.journeyId),
    column(mails, OID.int4, (mail) => mail.serial),
    column(mails, OID.text, (mail) => mail.mail),
    column(mails, OID.bool, (mail) => mail.again)
  ]
}

/** What few commits do: charge a wallet, let go of what it held, sell a vehicle. */
const rareColumns = (commits: ReadonlyArray<Commit>) => {
  const charges = commits.flatMap(({ charges, journey }) => charges.map((wallet) => ({ wallet, id: journey.id })))
  const sold = commits.flatMap(({ journey, soldVehicle }) =>
    soldVehicle === null ? [] : [{ vehicle: soldVehicle, id: journey.id }]
  )
  return [
    column(charges, OID.uuid, ({ id }) => id),
    column(charges, OID.text, ({ wallet }) => wallet),
    uuidArray(commits.filter(({ releasesHolds }) => releasesHolds).map(({ journey }) => journey.id)),
    column(sold, OID.uuid, ({ id }) => id),
    column(sold, OID.text, ({ vehicle }) => vehicle)
  ]
}

export const startColumns = (starts: ReadonlyArray<StartCommit>) => {
  const holds = starts.flatMap(({ charges, holds, journey }) =>
    holds.map((hold) => ({ ...hold, journey, isCharged: charges.includes(hold.wallet) }))
  )
  return [
    column(starts, OID.uuid, (one) => one.journey.id),
    column(starts, OID.uuid, (one) => one.journey.companyId),
    column(starts, OID.bool, (one) => one.journey.livemode),
    column(starts, OID.text, (one) => one.journey.status),
    column(starts, OID.text, (one) => one.journey.externalReference),
    column(starts, OID.uuid, (one) => one.customer.customerId),
    column(starts, OID.text, (one) => one.idempotencyKey),
    column(starts, OID.bytea, (one) => one.fingerprint),
    column(starts, OID.json, (one) => one.journey),
    column(starts, OID.timestamptz, (one) => date(one.wakeAt)),
    column(starts, OID.timestamptz, (one) => date(one.at)),
    column(starts, OID.bytea, (one) => one.customer.emailIndex),
    column(starts, OID.bytea, (one) => one.customer.wrappedKey),
    column(starts, OID.bool, (one) => one.customer.isNew),
    column(starts, OID.bytea, (one) => one.sealedRecord),
    column(starts, OID.text, (one) => one.sender),
    column(starts, OID.json, (one) => ({ _tag: "Start", shape: one.journey.shape })),
    column(holds, OID.uuid, (hold) => hold.journey.id),
    column(holds, OID.uuid, (hold) => hold.journey.companyId),
    column(holds, OID.text, (hold) => hold.wallet),
    column(holds, OID.int8, (hold) => BigInt(hold.credits)),
    ...eventColumns(starts),
    ...photoColumns(starts),
    ...watchedColumns(starts),
    column(holds, OID.bool, ({ isCharged }) => isCharged),
    ...mailColumns(starts)
  ]
}

export const commitColumns = (commits: ReadonlyArray<Commit>) => [
  column(commits, OID.uuid, (one) => one.journey.id),
  column(commits, OID.int4, (one) => one.expectedVersion),
  column(commits, OID.text, (one) => one.journey.status),
  column(commits, OID.json, (one) => one.journey),
  column(commits, OID.timestamptz, (one) => date(one.wakeAt)),
  column(commits, OID.uuid, (one) => one.messageId),
  column(commits, OID.text, (one) => one.sender),
  column(commits, OID.json, (one) => one.message),
  column(commits, OID.bytea, (one) => one.sealedNote),
  column(commits, OID.timestamptz, (one) => date(one.at)),
  ...eventColumns(commits),
  ...photoColumns(commits),
  ...watchedColumns(commits),
  ...mailColumns(commits),
  ...rareColumns(commits)
]
