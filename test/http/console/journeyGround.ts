/** A journey's page as tests need it: its company, a journey, and a stream that is read line by line. Not a test itself. */
import type { ConsoleBrowser, ConsoleGround } from "./consoleGround.ts"
import { startConsole } from "./consoleGround.ts"

/** A company whose test journeys move only when they are told to. */
export const startJourneyConsole = (environment: Readonly<Record<string, string>> = {}): Promise<ConsoleGround> =>
  startConsole({ settings: { sandbox: { pace: "manual" }, identityProvider: { kind: "BUILT_IN" } } }, environment)

export interface LiveStream {
  readonly status: number
  readonly headers: Headers
  /** Reads until the text has come so many times; answers with everything so far, or null when the stream has ended before. */
  readonly until: (text: string, times?: number) => Promise<string | null>
  /** Everything until the end of the stream. */
  readonly end: () => Promise<string>
  readonly close: () => void
}

/** Opens the stream of a journey's page as a browser's script does. */
export const openStream = async (
  baseUrl: string,
  browser: ConsoleBrowser,
  journeyId: string,
  lastEventId?: string
): Promise<LiveStream> => {
  const leaving = new AbortController()
  const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join("; ")
  const response = await fetch(`${baseUrl}/console/journeys/${journeyId}/live`, {
    signal: leaving.signal,
    redirect: "manual",
    headers: {
      cookie,
      accept: "text/event-stream",
      "hx-request": "true",
      "x-look": "1",
      ...(lastEventId === undefined ? {} : { "last-event-id": lastEventId })
    }
  })
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  let all = ""
  const readTo = async (isEnough: () => boolean): Promise<boolean> => {
    while (!isEnough()) {
      const next = await reader?.read()
      if (next === undefined || next.done) return false
      all += next.value
    }
    return true
  }
  return {
    status: response.status,
    headers: response.headers,
    until: async (text, times = 1) => ((await readTo(() => all.split(text).length > times)) ? all : null),
    end: async () => {
      await readTo(() => false)
      return all
    },
    close: () => leaving.abort()
  }
}

/** The ids of the changes that a stream has told. */
export const changesIn = (text: string): ReadonlyArray<string> =>
  [...text.matchAll(/id: (\w+)\nevent: journey-changed\n/g)].map(([, mark = ""]) => mark)
