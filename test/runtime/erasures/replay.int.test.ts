/** How a start reads the files of the journal of what has ended: which lines it applies, what it remembers of them, and what it says. */
import { Effect } from "effect"
import { createHash } from "node:crypto"
import { appendFile, mkdir, mkdtemp, rename, rm, stat, truncate, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, afterEach, beforeEach, expect, it, vi } from "vitest"
import { ask, askSettings, makeCompany } from "../../support/companies.ts"
import { queryDirectly } from "../../support/directly.ts"
import { freshDatabase, startService } from "../../support/service.ts"
import { journalAnswers } from "../../../src/runtime/doctor/journalAnswers.ts"
import { replayLimits } from "../../../src/runtime/erasures/limits.ts"
import { readSettings } from "../../../src/runtime/settings/Settings.ts"

const logged = vi.spyOn(console, "log").mockImplementation(() => {})
let folder: string
let DATABASE_URL: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "journeys-replay-"))
  DATABASE_URL = await freshDatabase()
})
afterEach(async () => {
  logged.mockClear()
  await rm(folder, { recursive: true, force: true })
})

afterAll(() => logged.mockRestore())

const startHere = () => startService({ DATABASE_URL, ERASURE_JOURNAL: folder })

const startAndStop = async () => (await startHere()).stop()

const at = "2026-01-15T10:31:07.218Z"
const revoked = (key: string): string => {
  const hash = createHash("sha256").update(key).digest("hex")
  return `${JSON.stringify({ at, what: "API_KEY", companyId: "-", hash })}\n`
}
const nothing = `${JSON.stringify({ at, what: "JOURNEY", journeyId: "00000000-0000-4000-8000-000000000000" })}\n`

/** A company with so many keys, in the database of these tests. */
const keys = async (count: number): Promise<ReadonlyArray<string>> => {
  const service = await startHere()
  const { id } = await makeCompany(service)
  const made: Array<string> = []
  for (let number = 0; number < count; number += 1) {
    made.push((await askSettings(service, `/companies/${id}/api-keys`, { body: { mode: "TEST" } })).data.key)
  }
  await service.stop()
  return made
}

/** What the keys are answered by a service that has just started. */
const answers = async (all: ReadonlyArray<string>) => {
  const service = await startHere()
  const statuses = []
  for (const key of all) statuses.push((await ask(service, key, "/api/v1/journeys")).status)
  await service.stop()
  return statuses
}

const fileOf = (name: string) => join(folder, `${name}.ended.jsonl`)

const marks = () =>
  queryDirectly<{ file: string; applied: number }>(
    DATABASE_URL,
    "select file, applied::int from erasure_journal_files order by file"
  )

const lines = (words: string): ReadonlyArray<string> =>
  logged.mock.calls.map((parts) => JSON.stringify(parts)).filter((line) => line.includes(words))

const told = "The database did not know what had ended"
const endsWithin = "ends within a line"
const older = "The journal of erasures is older than the database"

it("applies every line of a file that is read in several groups, and remembers its end", async () => {
  const ended = await keys(5)
  const group = replayLimits.linesAtOnce
  const places = new Map([0, group - 1, group, 2 * group - 1, 2 * group].map((place, key) => [place, ended[key] ?? ""]))
  const text = Array.from({ length: 2 * group + 1 }, (_, place) => {
    const key = places.get(place)
    return key === undefined ? nothing : revoked(key)
  }).join("")
  await writeFile(fileOf("a"), text)
  expect(await answers(ended)).toEqual([401, 401, 401, 401, 401])
  expect(await marks()).toEqual([{ file: "a.ended.jsonl", applied: text.length }])
  expect(lines(told)).toHaveLength(1)
})

it("applies what a file has got since, and leaves files alone that are none of the journal", async () => {
  const [first = "", second = ""] = await keys(2)
  await writeFile(join(folder, "notes.txt"), "no line of the journal\n")
  await writeFile(fileOf("a"), revoked(first))
  expect(await answers([first, second])).toEqual([401, 200])
  await appendFile(fileOf("a"), revoked(second))
  expect(await answers([first, second])).toEqual([401, 401])
  expect(await marks()).toEqual([{ file: "a.ended.jsonl", applied: (await stat(fileOf("a"))).size }])
})

it("applies once more what a start could not apply", async () => {
  const [key = ""] = await keys(1)
  await writeFile(fileOf("a"), revoked(key))
  await queryDirectly(
    DATABASE_URL,
    "create function refuse() returns trigger language plpgsql as $$ begin raise exception 'refused by the test'; end $$"
  )
  await queryDirectly(
    DATABASE_URL,
    "create trigger refused before update on api_keys for each row execute function refuse()"
  )
  await expect(startHere()).rejects.toThrow()
  await queryDirectly(DATABASE_URL, "drop trigger refused on api_keys")
  expect(await answers([key])).toEqual([401])
})

it("warns of files that are gone or shorter than what the database was told, and not while they are whole", async () => {
  for (const name of ["gone", "shorter", "whole"]) await writeFile(fileOf(name), nothing + nothing)
  await startAndStop()
  await startAndStop()
  expect(lines(older)).toEqual([])
  await rm(fileOf("gone"))
  await truncate(fileOf("shorter"), nothing.length)
  await startAndStop()
  const [line = "", ...more] = lines(older)
  expect(more).toEqual([])
  expect(line).toMatch(/files\D{1,8}2\D/)
})

it("applies a whole last line without its line break, and begins with it again when the rest has come", async () => {
  const [first = "", second = "", third = ""] = await keys(3)
  await writeFile(fileOf("a"), `${revoked(first)}${revoked(second).trimEnd()}`)
  expect(await answers([first, second, third])).toEqual([401, 401, 200])
  expect(await marks()).toEqual([{ file: "a.ended.jsonl", applied: revoked(first).length }])
  expect(lines(endsWithin)).toEqual([])
  await appendFile(fileOf("a"), `\n${revoked(third)}`)
  expect(await answers([first, second, third])).toEqual([401, 401, 401])
})

it.each([
  ["half a line", (line: string) => line.slice(0, 60)],
  ["what a disk has not kept", () => "\0".repeat(200)],
  ["blocks that a disk has not kept", () => "\0".repeat(3 * replayLimits.zerosAtOnce)],
  ["half a line and blocks that a disk has not kept", (line: string) => line.slice(0, 60) + "\0".repeat(9000)]
])("starts and says so where a file ends with %s: what stands before it is applied", async (_, end) => {
  const [first = "", second = ""] = await keys(2)
  await writeFile(fileOf("a"), `${revoked(first)}${end(revoked(second))}`)
  expect(await answers([first, second])).toEqual([401, 200])
  expect(lines(endsWithin)).toHaveLength(1)
})

it.each([
  ["blocks that a disk has not kept", (line: string) => `${"\0".repeat(9000)}${line}`],
  ["a line break after such blocks", () => `${"\0".repeat(9000)}\n`],
  ["a line that is far too long", () => "x".repeat(replayLimits.longestLineBytes + 1)]
])("refuses a start where %s may hide an erasure, and so does doctor", async (_, end) => {
  const [first = "", second = ""] = await keys(2)
  await writeFile(fileOf("a"), `${revoked(first)}${end(revoked(second))}`)
  await expect(startHere()).rejects.toThrow(/the journal of erasures .*a\.ended\.jsonl/)
  const [found] = await Effect.runPromise(journalAnswers(readSettings({ ERASURE_JOURNAL: folder }).given))
  expect(found?.isWell).toBe(false)
})

it("refuses a start whose journal lies where it is not read, and leaves copies of what is read alone", async () => {
  const [key = ""] = await keys(1)
  const [inside, packed] = [join(folder, "journal", "of-before"), `${fileOf("b")}.gz`]
  await mkdir(inside, { recursive: true })
  await writeFile(join(inside, "a.ended.jsonl"), revoked(key))
  await expect(startHere()).rejects.toThrow(/has files that are not read, journal.of-before.a\.ended\.jsonl: unpack/)
  await writeFile(packed, "packed")
  await expect(startHere()).rejects.toThrow(/has files that are not read, .* and 1 more: /)
  await rm(packed)
  await rename(join(inside, "a.ended.jsonl"), fileOf("a"))
  await writeFile(`${fileOf("a")}.bak`, revoked(key))
  expect(await answers([key])).toEqual([401])
})
