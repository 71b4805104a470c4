/** What `listen` is told by its parameters and finds in its folder: a state, a secret, a key; and what it refuses. */
import { createHash } from "node:crypto"
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import { verifyWebhook } from "../../../src/actors/webhook/verifier.js"
import { eventually } from "../../support/eventually.ts"
import { run, startProgram } from "../../support/processes.ts"
import { eventOf } from "../../support/receivers.ts"
import {
  closeGround,
  company,
  folder,
  started,
  receiver,
  bothPrograms,
  environment,
  listen,
  programs,
  wholeJourney,
  idsOf,
  hasAll,
  openGround
} from "./listenGround.ts"

// Each command is a process of its own, which on a loaded machine takes ten seconds and more to begin.
vi.setConfig({ testTimeout: 300_000 })

beforeEach(openGround)
afterEach(closeGround)

describe("listen", () => {
  it("begins with the first event, signs with a given secret, and speaks JSON, when it is told to", async () => {
    const to = await receiver()
    await wholeJourney()
    await listen(to).then((first) => first.stop("SIGINT"))
    const state = ["--state", join(folder.path, "place.json")]
    const secret = "whsec_given"
    const listening = await listen(to, "--from-start", "--secret", secret, "--json", ...state)
    const ids = await hasAll(to)
    expect(idsOf(to.received)).toEqual(ids)
    for (const { body, headers } of to.received) verifyWebhook({ body, headers, secret })
    const said = await eventually(
      () => listening.stdout().trim().split("\n"),
      (some) => some.length === ids.length + 1
    )
    expect(said.map((line) => JSON.parse(line))).toEqual([
      expect.objectContaining({ kind: "LISTENING", secret, from: "START", stateFile: state[1] }),
      ...to.received.map((one) => ({
        kind: "FORWARDED",
        at: expect.stringMatching(/Z$/),
        id: eventOf(one).id,
        type: eventOf(one).type,
        journeyId: eventOf(one).data["journeyId"],
        sequence: Number(one.headers["service-event-sequence"]),
        status: 204,
        durationMillis: expect.any(Number)
      }))
    ])
    await listening.stop("SIGINT")
    await listen(to, "--from-start", ...state)
    await eventually(
      () => to.received.length,
      (count) => count === 2 * ids.length
    )
    expect(idsOf(to.received)).toEqual([...ids, ...ids])
    for (const { body, headers } of to.received) verifyWebhook({ body, headers, secret })
  })

  it("takes the demo dealer's key from DATA_DIR", async () => {
    const to = await receiver()
    await mkdir(join(folder.path, ".journeys"))
    const demo = { id: company.id, name: "Demo Dealer", kind: "DEALER", testKey: company.testKey, liveKey: "x" }
    await writeFile(join(folder.path, ".journeys/demo.json"), JSON.stringify({ companies: [demo] }))
    const parameters = ["listen", "--forward-to", to.url]
    const { script } = programs.service
    const listening = startProgram(script, parameters, { cwd: folder.path, environment: environment(programs.service) })
    started.push(listening)
    await listening.printed(/Ctrl-C stops/)
    await wholeJourney()
    const ids = await hasAll(to)
    expect(idsOf(to.received)).toEqual(ids)
  })

  it.each(bothPrograms)(
    "as the program of the %s, refuses what it cannot work with, before anything is written",
    async (name, program) => {
      const { liveKey, testKey } = company
      const without = {
        service: /^journeys: give a test key with --key: there are no demo keys in /,
        package: /^journeys: give a test key with --key or in JOURNEYS_KEY$/m
      }[name]
      const refusals: ReadonlyArray<[ReadonlyArray<string>, RegExp | undefined]> = [
        [["--forward-to", "http://localhost:1"], without],
        [["--forward-to", "localhost:1", "--key", testKey], /^journeys: --forward-to must be/],
        [["--forward-to", "http://u:p@localhost:1", "--key", testKey], /^journeys: --forward-to must be/],
        [["--forward-to", "http://@localhost:1", "--key", testKey], /^journeys: --forward-to must be/],
        [["--forward-to", "http://localhost:1#", "--key", testKey], /^journeys: --forward-to must be/],
        [["--forward-to", "http://localhost:1", "--key", liveKey], /^journeys: --key is a live key/],
        [["--forward-to", "http://localhost:1", "--key", "svc_test_x"], /^journeys: --key is not an API key/],
        [["--forward-to", "http://localhost:1", "--key", testKey, "--secret", "x y"], /^journeys: --secret must/],
        [
          ["--forward-to", "http://localhost:1", "--key", testKey, "--state", "/proc/listen/place.json"],
          // The system's own words, such as "Error: ENOENT: ...", say no cure.
          /cannot be written: (?!Error)[^;]+; name another file with --state/
        ]
      ]
      const started = { cwd: folder.path, environment: environment(program) }
      for (const [parameters, said] of refusals) {
        const ended = await run(process.execPath, [program.script, "listen", ...parameters], started)
        expect([ended.code, ended.stdout]).toEqual([1, ""])
        expect(ended.stderr).toMatch(said ?? expect.fail(name))
        expect(ended.stderr).not.toContain(liveKey)
      }
      expect(await readdir(folder.path)).toEqual([])
      const file = join(folder.path, "place.json")
      const of = createHash("sha256").update("another").digest("hex")
      const state = { of, secret: "whsec_x", after: null, forwarded: null }
      for (const text of [JSON.stringify(state), "{}", "not JSON"]) {
        await writeFile(file, text)
        const parameters = ["listen", "--forward-to", "http://localhost:1", "--key", testKey, "--state", file]
        const ended = await run(process.execPath, [program.script, ...parameters], started)
        expect([ended.code, ended.stderr]).toEqual([1, expect.stringContaining("name another file with --state")])
        expect(await readFile(file, "utf8")).toBe(text)
      }
    }
  )

  it("as the program of the package, tells its flags, and what it was not told", async () => {
    const { environment, script } = programs.package
    const told = (parameters: ReadonlyArray<string>, more: Readonly<Record<string, string>>) =>
      run(process.execPath, [script, ...parameters], { cwd: folder.path, environment: more })
    const home = environment("", folder.path)
    const help = await told(["--help"], home)
    expect([help.code, help.stderr]).toEqual([0, ""])
    for (const flag of ["--forward-to URL", "--key KEY", "JOURNEYS_URL", `a file in ${folder.path}/.journeys/listen`]) {
      expect(help.stdout).toContain(flag)
    }
    const refusals: ReadonlyArray<[ReadonlyArray<string>, RegExp]> = [
      [[], /^journeys: the one command is "listen"; --help shows its flags\n$/],
      [["listen", "--forward"], /^journeys: Unknown option '--forward'.*; --help shows the flags\n$/],
      [["listen"], /^journeys: say with --forward-to /],
      [["listen", "--forward-to", "http://localhost:1"], /^journeys: say with --base-url or JOURNEYS_URL /],
      [
        ["listen", "--forward-to", "http://localhost:1", "--key", company.testKey, "--base-url", "journeys.example"],
        /^journeys: baseUrl is the address of the service, such as /
      ],
      [["listen", "--json"], /^\{"message":"say with --forward-to [^\n]*\}\n$/]
    ]
    for (const [parameters, said] of refusals) {
      const ended = await told(parameters, home)
      expect([ended.code, ended.stdout]).toEqual([1, ""])
      expect(ended.stderr).toMatch(said)
    }
    expect(await readdir(folder.path)).toEqual([])
  })
})
