/**
 * A headless Chromium, driven through its own debugging protocol: opens one page and remembers what it asked of the
 * network and what it complained of. Only for tests that have looked for Chromium first.
 */
import { spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"

const names = ["chromium", "chromium-browser", "google-chrome"]

/** The first that is on PATH. */
export const chromium = names.find((name) => spawnSync(name, ["--version"], { stdio: "ignore" }).status === 0)

export interface Page {
  /** Every address that the page asked for. */
  readonly requested: ReadonlyArray<string>
  /** Uncaught errors, and violations of the page's Content-Security-Policy. */
  readonly complaints: ReadonlyArray<string>
  readonly evaluate: (expression: string) => Promise<unknown>
  /** Evaluates until the answer is true. */
  readonly until: (expression: string) => Promise<void>
  /** A command of the debugging protocol, for what has no name here. */
  readonly command: (method: string, params?: object) => Promise<Message["result"]>
  readonly close: () => Promise<void>
}

export interface Message {
  readonly id?: number
  readonly sessionId?: string
  readonly method?: string
  // oxlint-disable-next-line typescript/no-explicit-any -- the protocol's own, many-shaped
  readonly params?: any
  // oxlint-disable-next-line typescript/no-explicit-any -- the same
  readonly result?: any
}

const patienceMillis = 30_000

/** `more`: flags of Chromium's beside those every page has. */
export const openPage = async (command: string, address: string, more: ReadonlyArray<string> = []): Promise<Page> => {
  const profile = await mkdtemp(join(tmpdir(), "journeys-chromium-"))
  const flags = ["--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"]
  const browser = spawn(
    command,
    [...flags, ...more, "--remote-debugging-port=0", `--user-data-dir=${profile}`, "about:blank"],
    {
      stdio: ["ignore", "ignore", "pipe"]
    }
  )
  const gone = once(browser, "exit")
  const socket = new WebSocket(await debuggerAddress(browser.stderr))
  await once(socket as unknown as NodeJS.EventEmitter & EventTarget, "open")

  const requested: Array<string> = []
  const complaints: Array<string> = []
  const waiting = new Map<number, (message: Message) => void>()
  let sent = 0
  let sessionId: string | undefined
  const send = (method: string, params: object = {}): Promise<Message> => {
    const id = (sent += 1)
    socket.send(JSON.stringify({ id, method, params, ...(sessionId === undefined ? {} : { sessionId }) }))
    return new Promise((resolve) => waiting.set(id, resolve))
  }
  socket.addEventListener("message", ({ data }) => {
    const message = JSON.parse(String(data)) as Message
    if (message.id !== undefined) waiting.get(message.id)?.(message)
    if (message.method === "Network.requestWillBeSent") requested.push(message.params.request.url)
    if (message.method === "Runtime.exceptionThrown") complaints.push(textOf(message.params.exceptionDetails))
    if (message.method === "Log.entryAdded" && message.params.entry.source === "security") {
      complaints.push(message.params.entry.text)
    }
  })

  const { result: target } = await send("Target.createTarget", { url: "about:blank" })
  const { result: attached } = await send("Target.attachToTarget", { targetId: target.targetId, flatten: true })
  sessionId = attached.sessionId
  for (const domain of ["Network", "Runtime", "Log", "Page"]) await send(`${domain}.enable`)
  await send("Page.navigate", { url: address })

  const evaluate = async (expression: string): Promise<unknown> =>
    (await send("Runtime.evaluate", { expression, returnByValue: true })).result?.result?.value
  return {
    requested,
    complaints,
    evaluate,
    until: async (expression) => {
      const end = Date.now() + patienceMillis
      while ((await evaluate(expression)) !== true) {
        if (Date.now() > end) throw new Error(`never true: ${expression}`)
        await new Promise((resolve) => setTimeout(resolve, 50))
      }
    },
    command: async (method, params) => (await send(method, params)).result,
    close: async () => {
      socket.close()
      browser.kill()
      await gone
      // Its children may still be writing.
      await rm(profile, { recursive: true, force: true, maxRetries: 10 })
    }
  }
}

// oxlint-disable-next-line typescript/no-explicit-any -- the protocol's own
const textOf = ({ exception, text }: any): string => exception?.description ?? text

/** Chromium says on its error output where it listens. */
const debuggerAddress = async (output: NodeJS.ReadableStream): Promise<string> => {
  let text = ""
  for await (const chunk of output) {
    text += String(chunk)
    const address = /DevTools listening on (ws:\S+)/.exec(text)?.[1]
    if (address !== undefined) return address
  }
  throw new Error(`Chromium did not start: ${text.slice(0, 500)}`)
}
