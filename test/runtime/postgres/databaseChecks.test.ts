import { assert, describe, it } from "@effect/vitest"
import {
  type DatabaseFacts,
  databaseFindings,
  roleFinding,
  switchesFinding
} from "../../../src/runtime/postgres/databaseChecks.ts"

const safe: DatabaseFacts = {
  version: 150_000,
  encoding: "UTF8",
  fsync: "on",
  fullPageWrites: "on",
  synchronousCommit: "on",
  role: "journeys",
  isSuperuser: false
}

const unsafe = (facts: DatabaseFacts) => databaseFindings(facts).flatMap(({ isWell, says }) => (isWell ? [] : [says]))

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

  it("has a cure for everything that it refuses", () => {
    const off = { fsync: "off", fullPageWrites: "off", synchronousCommit: "off" }
    const findings = databaseFindings({ ...safe, ...off, version: 140_000, encoding: "LATIN1" })
    assert.deepStrictEqual(
      findings.map(({ cure, isWell }) => [isWell, cure === null]),
      findings.map(() => [false, false])
    )
  })

  it("in production refuses a superuser, and development switches beside live companies alone", () => {
    assert.isTrue(roleFinding(safe).isWell)
    assert.isFalse(roleFinding({ ...safe, role: "postgres", isSuperuser: true }).isWell)
    assert.isFalse(switchesFinding(true, 1).isWell)
    assert.include(switchesFinding(true, 1).says, "1 company has live keys")
    assert.include(switchesFinding(true, 2).says, "2 companies have live keys")
    assert.isTrue(switchesFinding(true, 0).isWell)
    assert.isTrue(switchesFinding(false, 5).isWell)
  })
})
