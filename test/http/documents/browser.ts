/**
 * A headless Chromium, driven through its own debugging protocol: opens pages, each in a context of its own, which shares
 * no cookie with the others, and remembers what each asked of the network and what it complained of. Only for tests that
 * have looked for Chromium first.
 */
import { spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"

/** First Chromium without the parts of a window: it shows pages alike, and costs less. */
const names = ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"]

/** The first that is on PATH. */
export const chromium = names.find((name) => spawnSync(name, ["--version"], { stdio: "ignore" }).status === 0)

export interface Page {
  /** Every address that the page asked for. */
  readonly requested: ReadonlyArray<string>
  /** Uncaught errors, and violations of the page's Content-Security-Policy. */
  readonly complaints: ReadonlyArray<string>
  /** The questions that the page or the browser asked in a dialog, and how they are answered. */
  readonly dialogs: { readonly shown: Array<{ readonly type: string; readonly message: string }>; isAgreed: boolean }
  /** A promise's answer is waited for. */
  readonly evaluate: (expression: string) => Promise<unknown>
  /** Evaluates until the answer is true. */
  readonly until: (expression: string) => Promise<void>
  /** A command of the debugging protocol, for what has no name here. */
  readonly command: (method: string, params?: object) => Promise<Message["result"]>
  readonly close: () => Promise<void>
}

export interface Browser {
  readonly newPage: (address?: string) => Promise<Page>
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

/** Long, for the machine may be busy with other tests. */
const patienceMillis = 60_000

/** The protocol over one socket: commands with their answers, and the events of each session. */
const connect = async (address: string) => {
  const socket = new WebSocket(address)
  await once(socket as unknown as NodeJS.EventEmitter & EventTarget, "open")
  const waiting = new Map<number, (message: Message) => void>()
  const listeners = new Map<string, (event: Message) => void>()
  let sent = 0
  socket.addEventListener("message", ({ data }) => {
    const message = JSON.parse(String(data)) as Message
    if (message.id !== undefined) {
      waiting.get(message.id)?.(message)
      waiting.delete(message.id)
    } else if (message.sessionId !== undefined) listeners.get(message.sessionId)?.(message)
  })
  return {
    send: (method: string, params: object = {}, sessionId?: string): Promise<Message> => {
      const id = (sent += 1)
      socket.send(JSON.stringify({ id, method, params, ...(sessionId === undefined ? {} : { sessionId }) }))
      return new Promise((resolve) => waiting.set(id, resolve))
    },
    listen: (sessionId: string, listener: (event: Message) => void) => listeners.set(sessionId, listener),
    close: () => socket.close()
  }
}

type Connection = Awaited<ReturnType<typeof connect>>

const openPageOn = async ({ listen, send }: Connection, address: string): Promise<Page> => {
  const { result: context } = await send("Target.createBrowserContext")
  const { browserContextId } = context
  const { result: target } = await send("Target.createTarget", { url: "about:blank", browserContextId })
  const { result: attached } = await send("Target.attachToTarget", { targetId: target.targetId, flatten: true })
  const { sessionId } = attached
  const requested: Array<string> = []
  const complaints: Array<string> = []
  const dialogs: Page["dialogs"] = { shown: [], isAgreed: true }
  listen(sessionId, ({ method, params }) => {
    if (method === "Network.requestWillBeSent") requested.push(params.request.url)
    if (method === "Page.javascriptDialogOpening") {
      dialogs.shown.push({ type: params.type, message: params.message })
      void send("Page.handleJavaScriptDialog", { accept: dialogs.isAgreed }, sessionId)
    }
    if (method === "Runtime.exceptionThrown") complaints.push(textOf(params.exceptionDetails))
    if (method === "Log.entryAdded" && params.entry.source === "security") complaints.push(params.entry.text)
  })
  for (const domain of ["Network", "Runtime", "Log", "Page"]) await send(`${domain}.enable`, {}, sessionId)
  await send("Page.navigate", { url: address }, sessionId)

  const evaluate = async (expression: string): Promise<unknown> => {
    const params = { expression, returnByValue: true, awaitPromise: true }
    return (await send("Runtime.evaluate", params, sessionId)).result?.result?.value
  }
  return {
    requested,
    complaints,
    dialogs,
    evaluate,
    until: async (expression) => {
      const end = Date.now() + patienceMillis
      while ((await evaluate(expression)) !== true) {
        if (Date.now() > end) {
          throw new Error(`never true: ${expression}, but: ${String(await evaluate("document.body?.innerText"))}`)
        }
        await new Promise((resolve) => setTimeout(resolve, 50))
      }
    },
    command: async (method, params) => (await send(method, params, sessionId)).result,
    close: async () => void (await send("Target.disposeBrowserContext", { browserContextId }))
  }
}

/** `more`: flags of Chromium's beside those it always has. */
export const openBrowser = async (command: string, more: ReadonlyArray<string> = []): Promise<Browser> => {
  const profile = await mkdtemp(join(tmpdir(), "journeys-chromium-"))
  const flags = [
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    // Pages lie behind one another, and none of them may sleep.
    "--disable-background-timer-throttling",
    "--disable-backgrounding-occluded-windows",
    "--disable-renderer-backgrounding"
  ]
  const browser = spawn(
    command,
    [...flags, ...more, "--remote-debugging-port=0", `--user-data-dir=${profile}`, "about:blank"],
    // What it keeps in the folder for temporary files would outlive it there.
    { stdio: ["ignore", "ignore", "pipe"], env: { ...process.env, TMPDIR: profile } }
  )
  const gone = once(browser, "exit")
  const connection = await connect(await debuggerAddress(browser.stderr))
  return {
    newPage: (address = "about:blank") => openPageOn(connection, address),
    close: async () => {
      // What was started may be a script that started the browser: to end the script would leave the browser and its pages.
      void connection.send("Browser.close")
      await gone
      connection.close()
      // Its children may still be writing.
      await rm(profile, { recursive: true, force: true, maxRetries: 10 })
    }
  }
}

/** One page in a browser of its own, which closes with it. */
export const openPage = async (command: string, address: string, more: ReadonlyArray<string> = []): Promise<Page> => {
  const browser = await openBrowser(command, more)
  return { ...(await browser.newPage(address)), close: browser.close }
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
