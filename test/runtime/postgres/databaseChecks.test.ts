import { assert, describe, it } from "@effect/vitest"
import { type DatabaseFacts, unsafe } from "../../../src/runtime/postgres/databaseChecks.ts"

const safe: DatabaseFacts = {
  version: 150_000,
  encoding: "UTF8",
  fsync: "on",
  fullPageWrites: "on",
  synchronousCommit: "on"
}

describe("databaseChecks", () => {
  it("takes a PostgreSQL 15 as it comes", () => {
    assert.deepStrictEqual(unsafe(safe), [])
  })

  it.each(["local", "remote_write", "remote_apply"])(
    "takes synchronous_commit %s, which waits for the disk",
    (value) => {
      assert.deepStrictEqual(unsafe({ ...safe, synchronousCommit: value }), [])
    }
  )

  it.each<[Partial<DatabaseFacts>, string]>([
    [{ version: 140_012 }, "it is PostgreSQL 14; 15 is the oldest that will do"],
    [{ encoding: "SQL_ASCII" }, "its encoding is SQL_ASCII and must be UTF8"],
    [{ fsync: "off" }, "fsync is off: a power cut would lose or corrupt what was committed"],
    [{ fullPageWrites: "off" }, "full_page_writes is off: a power cut would corrupt pages half written"],
    [{ synchronousCommit: "off" }, "synchronous_commit is off: a crash would lose what was committed last"]
  ])("refuses %j", (facts, problem) => {
    assert.deepStrictEqual(unsafe({ ...safe, ...facts }), [problem])
  })
})
