/** Lists of the client in TypeScript: how one page leads to the next, and how events are followed. */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import { clientLimits } from "../../../src/runtime/client/lib/limits.ts"
import { FollowedListing, Listing, type ListTurn } from "../../../src/runtime/client/lib/Listing.ts"

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** Every entry of a list with these pages, and how each page was asked for. */
const read = async (pages: ReadonlyArray<object>, from: ListTurn = {}) => {
  const turns: Array<ListTurn> = []
  const listing = new Listing({
    ask: (turn) => {
      turns.push(turn)
      return Promise.resolve(pages[turns.length - 1] as { readonly content: ReadonlyArray<string> })
    },
    from,
    by: "after",
    signal: undefined
  })
  const entries: Array<string> = []
  for await (const entry of listing) entries.push(entry)
  return { entries, turns }
}

describe("a list", () => {
  it("goes on by number, by next until it is null, and by next until it stands still", async () => {
    const numbered = [
      { content: ["a"], page: 0, totalPages: 2 },
      { content: ["b"], page: 1, totalPages: 2 }
    ]
    expect(await read(numbered)).toEqual({ entries: ["a", "b"], turns: [{}, { page: 1 }] })
    const pieces = [
      { content: ["a"], next: "1", page: 0, totalPages: 2 },
      { content: ["b"], next: null }
    ]
    expect(await read(pieces)).toEqual({ entries: ["a", "b"], turns: [{}, { after: "1" }] })
    const events = [
      { content: ["a"], next: "1" },
      { content: [], next: "2" },
      { content: ["b"], next: "3" },
      { content: [], next: "3" }
    ]
    expect((await read(events, { after: "0" })).entries).toEqual(["a", "b"])
  })

  it("of events is followed: a page once something is there, and a pause once nothing is", async () => {
    const pages = [
      { content: [], next: "1" },
      { content: ["a"], next: "2" }
    ]
    let asked = 0
    const ending = new AbortController()
    const listing = new FollowedListing({
      ask: () => Promise.resolve(pages[asked++] ?? { content: [], next: "2" }),
      from: { after: "latest" },
      by: "after",
      signal: ending.signal
    })
    const followed = listing.follow()
    const first = followed.next()
    await vi.advanceTimersByTimeAsync(0)
    expect(asked).toBe(1)
    await vi.advanceTimersByTimeAsync(clientLimits.betweenLooksMillis)
    expect(await first).toEqual({ done: false, value: { content: ["a"], next: "2" } })
    const second = followed.next()
    second.catch(() => {})
    await vi.advanceTimersByTimeAsync(clientLimits.betweenLooksMillis * 3)
    ending.abort(new Error("enough"))
    await expect(second).rejects.toThrow("enough")
  })
})
