/**
 * Makes the demo companies of the first start, a dealer and a broker with keys, so that a sandbox journey can be
 * started at once. It does so in the embedded database only: a database that the operator names belongs to somebody.
 *
 * The file of keys is written first, then all companies in one transaction. After a crash in between, the next start
 * finds the file but no company, and makes the companies that the file names. So every key that works is in the file.
 */
import { Clock, Effect, Option } from "effect"
import { CompanyStore, type NewApiKey, type NewCompany } from "../../actors/company/CompanyStore.ts"
import { keyedHashOf, keyTrace, newApiKey, newKeyText, type KeyedHash } from "../../actors/company/apiKey.ts"
import { Ids } from "../../actors/kernel/Ids.ts"
import { Vault } from "../../actors/kernel/Vault.ts"
import { plainBrand, type Brand } from "../../schema/company/Brand.ts"
import { Company, type CompanyKind } from "../../schema/company/Company.ts"
import type { Mode } from "../../schema/Mode.ts"
import type { StoreUnavailable, CommitUnknown } from "../../actors/kernel/StoreError.ts"
import { demoFileOf, readDemo, writeDemo, type Demo, type DemoFileError } from "./demoFile.ts"
import { Settings } from "../settings/Settings.ts"
import { ApiKeyId, CompanyId } from "../../schema/ids.ts"

export type FirstStart =
  /** The demo companies were made by this start. */
  | { readonly _tag: "DemoMade"; readonly file: string; readonly demo: Demo }
  /** The demo companies were made earlier, and the file still has their keys. */
  | { readonly _tag: "DemoThere"; readonly file: string }
  /** The operator's database has no company yet. */
  | { readonly _tag: "NoCompany" }
  | { readonly _tag: "Nothing" }

/** The name in the audit log for changes that no person asked for. */
const actor = "first start"

export const demoCompanies = [
  { name: "Demo Dealer", kind: "DEALER", adminEmail: "dealer@example.com" },
  { name: "Demo Broker", kind: "BROKER", adminEmail: "broker@example.com" }
] as const

/** How their pages and mails look. Nobody has the number: it belongs to those that Ofcom keeps free for stories. */
const demoBrand: Brand = {
  ...plainBrand,
  colour: "#0b6e4f",
  telephone: "+44 113 496 0000",
  hours: "Monday to Friday, 9 to 17"
}

/** `baseUrl` is written into the file for whoever reads the keys from it. */
export const firstStart = Effect.fn("firstStart")(function* (
  baseUrl: string
): Effect.fn.Return<
  FirstStart,
  DemoFileError | StoreUnavailable | CommitUnknown,
  CompanyStore | Ids | Settings | Vault
> {
  const settings = yield* Settings
  const store = yield* CompanyStore
  const { totalElements } = yield* store.list({ page: 0, size: 1 })
  if (settings.databaseUrl !== undefined) return { _tag: totalElements === 0 ? "NoCompany" : "Nothing" }

  const file = demoFileOf(settings.dataDir)
  if (totalElements > 0) {
    // Once the companies exist, a file that cannot be read does not stop the start.
    const demo = yield* Effect.option(readDemo(file))
    return Option.isSome(demo) && demo.value !== null ? { _tag: "DemoThere", file } : { _tag: "Nothing" }
  }
  const ids = yield* Ids
  const keyed = keyedHashOf(yield* Vault)
  const demo = (yield* readDemo(file)) ?? newDemo(ids, baseUrl, keyed)
  yield* writeDemo(file, demo)
  const now = yield* Clock.currentTimeMillis
  yield* store.add(demo.companies.map((one) => companyOf(one, ids, now, keyed)))
  return { _tag: "DemoMade", file, demo }
})

const newDemo = (ids: Ids["Service"], baseUrl: string, keyed: KeyedHash): Demo => ({
  baseUrl,
  companies: demoCompanies.map(({ kind, name }) => ({
    id: CompanyId.make(ids.next()),
    name,
    kind,
    testKey: newKeyText("TEST", keyed),
    liveKey: newKeyText("LIVE", keyed)
  }))
})

/** The administrator of the demo company of this kind, who is its first owner. */
export const adminEmailOf = (kind: CompanyKind): string =>
  (demoCompanies.find((company) => company.kind === kind) ?? demoCompanies[0]).adminEmail

const companyOf = (demo: Demo["companies"][number], ids: Ids["Service"], now: number, keyed: KeyedHash): NewCompany => {
  const adminEmail = adminEmailOf(demo.kind)
  const keyOf = (text: string, mode: Mode): NewApiKey => {
    const trace = keyTrace(text, keyed)
    const { last4 } = trace
    const key = newApiKey({ id: ApiKeyId.make(ids.next()), companyId: demo.id, mode, last4, createdAt: now }, {})
    return { key, trace, line: { actor, action: "api_key.created", details: { keyId: key.id, mode, last4 }, at: now } }
  }
  return {
    company: Company.row.make({
      id: demo.id,
      name: demo.name,
      kind: demo.kind,
      adminEmail,
      brand: demoBrand,
      createdAt: now
    }),
    line: { actor, action: "company.created", details: { name: demo.name, kind: demo.kind }, at: now },
    keys: [keyOf(demo.testKey, "TEST"), keyOf(demo.liveKey, "LIVE")],
    // Nobody reads the mail of the demo companies but in the built-in mailbox.
    invitedBy: null
  }
}
