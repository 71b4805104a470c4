/** `npm run demo` as a process: what a newcomer sees, and how it ends. */
import { readdir } from "node:fs/promises"
import { join, resolve } from "node:path"
import { afterEach, beforeEach, expect, it } from "vitest"
import { eventually } from "../support/eventually.ts"
import { run, startProgram, temporaryFolder } from "../support/processes.ts"

const script = resolve(import.meta.dirname, "../../src/runtime/demo/main.ts")
const terminalWidth = 120

let folder: Awaited<ReturnType<typeof temporaryFolder>>
beforeEach(async () => {
  folder = await temporaryFolder()
})
afterEach(() => folder.remove())

const left = async () => (await readdir(folder.path)).map((name) => join(folder.path, name))
const here = () => ({ cwd: folder.path, environment: { TMPDIR: folder.path } })

interface EventRow {
  readonly shape: string
  readonly sequence: number
  readonly isProved: boolean
}

const eventRowsOf = (lines: ReadonlyArray<string>): ReadonlyArray<EventRow> =>
  lines.flatMap((line) => {
    const [, shape = "", sequence, rest = ""] = /^(\S.*?) +\d\d:\d\d:\d\d +#(\d+) +(.*)$/.exec(line) ?? []
    return sequence === undefined
      ? []
      : [{ shape, sequence: Number(sequence), isProved: /^[a-z_]+\.[a-z_]+ +signature ok /.test(rest) }]
  })

const ascending = (one: number, other: number) => one - other

it("shows five journeys to their end, every event once and with its signature checked, and leaves nothing", async () => {
  const { code, stderr, stdout } = await run(process.execPath, [script], here())
  expect({ code, stderr }, stdout).toEqual({ code: 0, stderr: "" })

  const lines = stdout.split("\n")
  expect(stdout).toMatch(/\nPing: DELIVERED, answered 204 after \d+ ms\nThe receiver: signature ok\n/)
  expect(stdout).toMatch(/\nThe receiver, given the same ping with one byte changed: refused, NO_MATCH\n/)
  const rows = eventRowsOf(lines)
  expect(rows.filter(({ isProved }) => !isProved)).toEqual([])
  const sequences = Map.groupBy(rows, ({ shape }) => shape)
  expect(sequences.size).toBe(5)
  for (const [shape, events] of sequences) {
    const told = events.map(({ sequence }) => sequence).toSorted(ascending)
    expect(told, shape).toEqual(told.map((_, at) => at + 1))
  }
  expect(stdout).toContain("next action CUSTOMER_TO_RECORD_VIDEO")
  expect(lines.filter((line) => / [0-9a-f-]{36} {2}COMPLETED$/.test(line)).length).toBe(5)
  expect(stdout).toContain(`\n${rows.length} of ${rows.length} events received with their signature ok, and DELIVERED`)

  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(terminalWidth)
  expect(stdout).not.toContain("WEBHOOK_ALLOW_INSECURE")
  expect(stdout).not.toContain("whsec_")
  expect(await left()).toEqual([])
})

it("stays open with one journey of each shape at its customer's first step, each with its mails to read", async () => {
  const demo = startProgram(script, ["--stay"], here())
  try {
    await demo.printed(/Press Ctrl-C/)
    const rows = [
      ...demo.stdout().matchAll(/^ {2}(\S.*?) +([A-Z_]+) +(http:\/\/127\.0\.0\.1:\d+\/mailbox\?journeyId=\S+)$/gm)
    ]
    expect(rows.map(([, shape, action]) => [shape, action])).toEqual([
      ["Finance by panel", "SEND_FINANCE_DECISION"],
      ["Finance by Mira", "CUSTOMER_TO_VERIFY_IDENTITY"],
      ["Identity check", "CUSTOMER_TO_VERIFY_IDENTITY"],
      ["Cash sale", "CUSTOMER_TO_VERIFY_IDENTITY"],
      ["Finance sale", "CUSTOMER_TO_RECORD_VIDEO"]
    ])
    const [, , , mailbox = ""] = rows.at(-1) ?? []
    const page = await eventually(
      async () => (await fetch(mailbox)).text(),
      (text) => text.includes("/app/l/")
    )
    expect(page).toContain("Mails of one journey")
  } finally {
    expect(await demo.stop("SIGINT")).toMatchObject({ code: 0, stderr: "" })
  }
  expect(await left()).toEqual([])
})

it("refuses a word that it does not know", async () => {
  const { code, stderr } = await run(process.execPath, [script, "--forever"], here())
  expect([code, stderr]).toEqual([1, "The demo takes --stay and nothing else, not --forever\n"])
})

it("ends cleanly when its reader has seen enough", async () => {
  const command = `"${process.execPath}" "${script}" | head -n 12; exit "\${PIPESTATUS[0]}"`
  const { code, stderr, stdout } = await run("bash", ["-c", command], here())
  expect({ code, stderr }, stdout).toEqual({ code: 0, stderr: "" })
  expect(stdout).not.toContain("COMPLETED")
  expect(await left()).toEqual([])
})
