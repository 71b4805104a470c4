/**
 * What this program has ever stored, as far as it is data that a later version must read: the files of `test/corpus`,
 * how each kind is read today, and what a value is made of. Not a test itself.
 *
 * A file of the corpus is never changed or removed: databases out there hold what it holds. What is stored differently
 * from now on is a new file.
 */
import { Schema } from "effect"
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { Journey } from "../../../src/actors/journey/rules/state/Journey.ts"
import { eventBodies } from "../../../src/http/documents/eventBodies.ts"
import { modelColumns } from "../../../src/runtime/postgres/modelColumns.ts"
import { plainBrand } from "../../../src/schema/company/Brand.ts"
import { Company, companyResource, CompanyResource } from "../../../src/schema/company/Company.ts"
import { AttemptTrigger } from "../../../src/schema/webhook/WebhookDelivery.ts"
import { WebhookDeliveryStatus } from "../../../src/schema/WebhookDeliveryStatus.ts"
import type { EventType } from "../../../src/schema/journey/events.ts"
import { FailureClass } from "../../../src/schema/failureClass.ts"
import { Mail } from "../../../src/schema/mail/mailKinds.ts"
import { JourneyMessage } from "../../../src/schema/journey/messages.ts"
import { Shape } from "../../../src/schema/journey/statuses.ts"
import { CompanyId } from "../../../src/schema/ids.ts"

type Json = null | boolean | number | string | ReadonlyArray<Json> | { readonly [key: string]: Json }

const kinds = ["journeys", "journal", "events", "companies", "deliveries", "attempts", "mails"] as const

/** Where it is stored; of tables with several such columns an object of them. */
export type Kind = (typeof kinds)[number]
export type Values = Readonly<Partial<Record<Kind, ReadonlyArray<Json>>>>

const folder = join(import.meta.dirname, "../../corpus")

export const corpusFiles: ReadonlyArray<string> = readdirSync(folder).filter((name) => name.endsWith(".json"))

/** Everything in the corpus, by kind. */
export const corpus: Record<Kind, ReadonlyArray<Json>> = (() => {
  const files = corpusFiles.map((name) => JSON.parse(readFileSync(join(folder, name), "utf8")) as Values)
  return Object.fromEntries(kinds.map((kind) => [kind, files.flatMap((file) => file[kind] ?? [])])) as never
})()

/** The first line of a journal says how the journey began; it is kept and never told to anybody. */
const Start = Schema.TaggedStruct("Start", { shape: Shape })
const Delivery = Schema.Struct({ status: WebhookDeliveryStatus, trigger: AttemptTrigger })
const Attempt = Schema.Struct({ trigger: AttemptTrigger, error: Schema.NullOr(FailureClass) })

const companyRows = modelColumns(Company.row)

const readCompany = (value: Json): unknown => {
  const others = Company.row.make({
    id: CompanyId.make("0197a000-0000-7000-8000-000000000002"),
    name: "Harbour Cars",
    kind: "DEALER",
    adminEmail: "owner@example.com",
    createdAt: 0
  })
  // A migration has given older rows the brand that shows nothing.
  const company = companyRows.decodeRow({ ...companyRows.of(others), brand: plainBrand, ...(value as object) })
  return Schema.decodeSync(CompanyResource)(companyResource(company))
}

/** How the program reads a stored value today; throws when it cannot. */
export const read: Readonly<Record<Kind, (value: Json) => unknown>> = {
  journeys: Schema.decodeUnknownSync(Journey),
  journal: Schema.decodeUnknownSync(Schema.Union([Start, JourneyMessage])),
  events: (value) => {
    const body = eventBodies[(value as { readonly type: EventType }).type]
    return Schema.decodeUnknownSync(body)(value)
  },
  companies: readCompany,
  deliveries: Schema.decodeUnknownSync(Delivery),
  attempts: Schema.decodeUnknownSync(Attempt),
  mails: Schema.decodeUnknownSync(Mail)
}

/** A word of a vocabulary, such as a status; anything else is free text, an id or a time. */
const isWord = (text: string): boolean => /^[A-Za-z]+(?:[._][A-Za-z]+)*$/.test(text)

const leaf = (value: Json): string => {
  if (value === null) return "null"
  if (Array.isArray(value)) return "list"
  return typeof value === "string" && isWord(value) ? value : typeof value
}

const isRecord = (value: Json): value is { readonly [key: string]: Json } =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** The outermost object, and what an event tells: they have too many combinations. */
const loose = new Set(["", "data"])

/**
 * What a value is made of: of every object in it its members together, by their types and words; of a loose one each
 * member for itself, and which there are.
 */
export const partsOf = (value: Json): ReadonlySet<string> => {
  const parts = new Set<string>()
  const walk = (at: string, inner: Json): void => {
    if (Array.isArray(inner)) {
      for (const one of inner as ReadonlyArray<Json>) walk(`${at}[]`, one)
    } else if (isRecord(inner)) {
      const members = Object.entries(inner).toSorted(([one], [other]) => (one < other ? -1 : 1))
      const shown = ([name, member]: readonly [string, Json]) => (loose.has(at) ? name : `${name}=${leaf(member)}`)
      parts.add(`${at}: ${members.map(shown).join(" ")}`)
      for (const [name, member] of members) walk(at === "" ? name : `${at}.${name}`, member)
    } else parts.add(`${at}=${leaf(inner)}`)
  }
  walk("", value)
  return parts
}

/** Values that have parts which none of the corpus has, the fewest that show all of them. */
export const unknownTo = (known: ReadonlyArray<Json>, values: Iterable<Json>): ReadonlyArray<Json> => {
  const parts = new Set(known.flatMap((value) => [...partsOf(value)]))
  const unknown: Array<Json> = []
  for (const value of values) {
    const added = [...partsOf(value)].filter((part) => !parts.has(part))
    if (added.length === 0) continue
    added.forEach((part) => parts.add(part))
    unknown.push(value)
  }
  return unknown
}

/** What the developer is told whose change stores something new. */
export const advice = (values: Values): string =>
  `Stored data has a new shape. If every version must be able to read it from now on, add a file to test/corpus, ` +
  `named after the last one with the next number, that holds exactly this; never change a file that is there:\n` +
  JSON.stringify(values)
