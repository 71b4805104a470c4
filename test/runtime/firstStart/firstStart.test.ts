import { Effect, Exit, Layer, Ref } from "effect"
import { mkdir, mkdtemp, readFile, readdir, rm, stat, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, beforeEach, expect, it } from "vitest"
import { hashApiKey } from "../../../src/actors/company/apiKey.ts"
import { CompanyStore, type NewCompany } from "../../../src/actors/company/CompanyStore.ts"
import { StoreUnavailable } from "../../../src/actors/kernel/StoreError.ts"
import { firstStart } from "../../../src/runtime/firstStart/firstStart.ts"
import { Vault } from "../../../src/actors/kernel/Vault.ts"
import { make } from "../../../src/runtime/keys/AesVault.ts"
import * as NodeIds from "../../../src/runtime/node/NodeIds.ts"
import { Settings } from "../../../src/runtime/settings/Settings.ts"

let dataDir = ""
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "journeys-first-start-"))
})
afterEach(() => rm(dataDir, { recursive: true, force: true }))

/** A store that holds companies in memory; `crashes` makes adding fail as a process that dies there would. */
const storeOf = (companies: Ref.Ref<ReadonlyArray<NewCompany>>, crashes: boolean) =>
  Layer.mock(CompanyStore, {
    list: () =>
      Effect.map(Ref.get(companies), (all) => ({ content: all.map((one) => one.company), totalElements: all.length })),
    add: (all) =>
      crashes
        ? Effect.fail(new StoreUnavailable({ cause: "crash" }))
        : Ref.update(companies, (before) => [...before, ...all])
  })

const startWith = (
  companies: Ref.Ref<ReadonlyArray<NewCompany>>,
  { crashes = false, databaseUrl = "" }: { readonly crashes?: boolean; readonly databaseUrl?: string } = {}
) =>
  Effect.runPromiseExit(
    firstStart("http://127.0.0.1:3000").pipe(
      Effect.provide([
        storeOf(companies, crashes),
        NodeIds.layer,
        Layer.succeed(Vault, make(Buffer.alloc(32, 7))),
        Settings.layerOf({
          DATA_DIR: dataDir,
          DATABASE_URL: databaseUrl,
          ENCRYPTION_KEY: Buffer.alloc(32, 7).toString("base64"),
          OPERATOR_TOKEN: "test-operator-token-of-this-file"
        })
      ])
    )
  )

const demoFile = () => join(dataDir, "demo.json")
const readDemo = async () =>
  JSON.parse(await readFile(demoFile(), "utf8")) as {
    readonly companies: ReadonlyArray<{ readonly testKey: string; readonly liveKey: string }>
  }
const hex = (hash: Uint8Array) => Buffer.from(hash).toString("hex")
const hashesOf = (companies: ReadonlyArray<NewCompany>) =>
  companies.flatMap(({ keys }) => keys.map(({ trace }) => hex(trace.hash)))

it("makes a dealer and a broker, with their keys in a file that nobody else may read", async () => {
  const companies = Ref.makeUnsafe<ReadonlyArray<NewCompany>>([])
  const exit = await startWith(companies)
  expect(Exit.isSuccess(exit) && exit.value._tag).toBe("DemoMade")
  const added = Ref.getUnsafe(companies)
  expect(added.map(({ company, keys }) => [company.kind, keys.map(({ key }) => key.mode)])).toEqual([
    ["DEALER", ["TEST", "LIVE"]],
    ["BROKER", ["TEST", "LIVE"]]
  ])
  const demo = await readDemo()
  expect(demo).toEqual({
    baseUrl: "http://127.0.0.1:3000",
    companies: added.map(({ company }) => ({
      id: company.id,
      name: company.name,
      kind: company.kind,
      testKey: expect.stringMatching(/^svc_test_/),
      liveKey: expect.stringMatching(/^svc_live_/)
    }))
  })
  expect(hashesOf(added)).toEqual(
    demo.companies.flatMap(({ liveKey, testKey }) => [hex(hashApiKey(testKey)), hex(hashApiKey(liveKey))])
  )
  expect((await stat(demoFile())).mode & 0o777).toBe(0o600)
  expect(await readdir(dataDir)).toEqual(["demo.json"])
})

it("after a crash between file and database makes the companies that the file names", async () => {
  const companies = Ref.makeUnsafe<ReadonlyArray<NewCompany>>([])
  expect(Exit.isFailure(await startWith(companies, { crashes: true }))).toBe(true)
  const left = await readDemo()
  const exit = await startWith(companies)
  expect(Exit.isSuccess(exit) && exit.value._tag).toBe("DemoMade")
  expect(await readDemo()).toEqual(left)
  expect(hashesOf(Ref.getUnsafe(companies))).toEqual(
    left.companies.flatMap(({ liveKey, testKey }) => [hex(hashApiKey(testKey)), hex(hashApiKey(liveKey))])
  )
})

it("makes nothing twice, and says where the keys are as long as the file exists", async () => {
  const companies = Ref.makeUnsafe<ReadonlyArray<NewCompany>>([])
  await startWith(companies)
  const again = await startWith(companies)
  expect(again).toEqual(Exit.succeed({ _tag: "DemoThere", file: demoFile() }))
  await rm(demoFile())
  expect(await startWith(companies)).toEqual(Exit.succeed({ _tag: "Nothing" }))
  expect(Ref.getUnsafe(companies)).toHaveLength(2)
})

it("makes nothing in a database that the operator names", async () => {
  const companies = Ref.makeUnsafe<ReadonlyArray<NewCompany>>([])
  const databaseUrl = "postgres://someone@db.example/journeys"
  expect(await startWith(companies, { databaseUrl })).toEqual(Exit.succeed({ _tag: "NoCompany" }))
  expect(Ref.getUnsafe(companies)).toEqual([])
  expect(await readdir(dataDir)).toEqual([])
})

it("refuses a file it did not write, and leaves it as it is", async () => {
  await writeFile(demoFile(), "notes of mine")
  const exit = await startWith(Ref.makeUnsafe<ReadonlyArray<NewCompany>>([]))
  expect(Exit.isFailure(exit) && String(exit.cause)).toContain("is not the file of demo keys this service wrote")
  expect(await readFile(demoFile(), "utf8")).toBe("notes of mine")
})

it("says in words why a file cannot be read, and what to do", async () => {
  await mkdir(demoFile())
  const exit = await startWith(Ref.makeUnsafe<ReadonlyArray<NewCompany>>([]))
  expect(Exit.isFailure(exit) && String(exit.cause)).toContain(
    "cannot be read: it is a folder (EISDIR); let the service read it, or move it away"
  )
})
