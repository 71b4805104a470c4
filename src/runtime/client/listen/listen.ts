/**
 * `listen`: test events to a server on this machine, as webhooks would bring them, without an endpoint that can be reached
 * from outside. It follows the events API, so it needs a test key and nothing else, and it may be stopped and started:
 * nothing is left out, and the order is kept. Two programs run it: `command.ts` of the package for Node, and `journeys
 * listen` of the service. It needs Node and no package.
 */
import { listenLimits } from "../lib/limits.ts"
import { sleep, Transport } from "../lib/Transport.ts"
import { eventPages, type FollowedEvent } from "./eventPages.ts"
import { forwardEvent } from "./forwardEvent.ts"
import { ListenFailed } from "./ListenFailed.ts"
import { beginningLine, forwardedLine, messageLine } from "./listenLines.ts"
import {
  judgedSecret,
  newSecret,
  ownerOf,
  readState,
  stateFileIn,
  writeState,
  type ListenState
} from "./listenState.ts"

/** What both programs say about themselves and their flags. */
export const listenHelp = {
  about: "Forward test events to a server on this machine, signed like webhooks",
  flags: {
    "forward-to": "Where events are sent, such as http://localhost:8080/webhooks",
    key: "A test key",
    "from-start": "Begin with the first event there is, not where it stopped or with the next one",
    secret: "Sign with this one, whsec_...; without it one is made the first time, and kept",
    state: "Where secret and place are kept"
  }
} as const

export interface Listening {
  readonly baseUrl: string
  readonly key: string
  readonly forwardTo: string
  readonly fromStart: boolean
  readonly secret: string | undefined
  readonly stateFile: string | undefined
  /** Where the file is when no other was named. */
  readonly stateFolder: string
  readonly isJson: boolean
  readonly signal: AbortSignal
  readonly print: (line: string) => void
  readonly printError: (line: string) => void
}

/** Ends when the signal aborts; fails with ListenFailed for what waiting does not help against. */
export const listen = async (given: Listening): Promise<void> => {
  try {
    await listenOn(given)
  } catch (error) {
    if (!given.signal.aborted || error instanceof ListenFailed) throw error
  }
}

const listenOn = async (given: Listening): Promise<never> => {
  const { baseUrl, fromStart, isJson, print, signal } = given
  const say = (message: string) => given.printError(messageLine(message, isJson))
  const url = judgedReceiver(given.forwardTo)
  const key = judgedKey(given.key)
  const owner = ownerOf(key, url)
  const stateFile = given.stateFile ?? stateFileIn(given.stateFolder, owner)
  const kept = await readState(stateFile, owner)
  const secret = given.secret === undefined ? (kept?.secret ?? newSecret()) : judgedSecret(given.secret)

  const pageBehind = eventPages({ transport: transportTo(baseUrl, key), baseUrl, signal, print: say })
  const from = fromStart ? "START" : kept === null ? "NOW" : "HERE"
  const beginnings = {
    START: () => ({ after: null, forwarded: null }),
    NOW: async () => ({ after: (await pageBehind("latest")).next, forwarded: null }),
    HERE: () => ({ after: kept?.after ?? null, forwarded: kept?.forwarded ?? null })
  }
  let state: ListenState = { of: owner, secret, ...(await beginnings[from]()) }
  const keep = (next: Pick<ListenState, "after" | "forwarded">) =>
    writeState(stateFile, (state = { ...state, ...next }))
  await keep(state)
  print(beginningLine({ baseUrl, forwardTo: url, secret, stateFile, from }, isJson))

  for (;;) {
    const { after } = state
    const { events, isFull, next } = await pageBehind(after)
    for (const event of rest(events, state.forwarded)) {
      const forwarded = await forwardEvent({ url, secret, signal, print: say }, event)
      // Once it was answered its place is kept, whatever signal comes.
      await keep({ after, forwarded: event.content.id })
      print(forwardedLine(forwarded, isJson))
    }
    if (next !== after) await keep({ after: next, forwarded: null })
    if (!isFull) await sleep(listenLimits.betweenLooksMillis, signal)
  }
}

/** What of a page has not been forwarded yet. */
const rest = (events: ReadonlyArray<FollowedEvent>, forwarded: string | null): ReadonlyArray<FollowedEvent> =>
  events.slice(events.findIndex(({ content }) => content.id === forwarded) + 1)

const judgedReceiver = (text: string): string => {
  // The text is searched, because the parser drops an empty user and an empty fragment.
  const [, authority = ""] = /^https?:\/\/([^/?#]+)[!-[\]-~]*$/i.exec(text) ?? []
  if (authority === "" || /[@#]/.test(authority) || text.includes("#") || !URL.canParse(text)) {
    throw new ListenFailed("--forward-to must be an http or https URL without user, password and fragment")
  }
  return new URL(text).href
}

const judgedKey = (key: string): string => {
  if (/^svc_test_[0-9A-Za-z]{38}$/.test(key)) return key
  throw new ListenFailed(
    key.startsWith("svc_live_")
      ? "--key is a live key: listen is for test events; give a test key"
      : "--key is not an API key: a test key is svc_test_ and 38 characters"
  )
}

const transportTo = (baseUrl: string, apiKey: string): Transport => {
  try {
    return new Transport({ baseUrl, apiKey }, () => undefined)
  } catch (cause) {
    throw cause instanceof TypeError ? new ListenFailed(cause.message, { cause }) : cause
  }
}
