/** When the announcement of a changed key is over: a node that still remembers the key would take it. */
import { describe, expect, it } from "vitest"
import { Announcement } from "../../../../src/runtime/cluster/redis/announcement.ts"

type News = "FORGOTTEN" | { readonly told: number }

/** After how many of these news the announcement is over; null: it still waits. */
const overAfter = (...news: ReadonlyArray<News>): number | null => {
  let heard = 0
  let over: number | null = null
  const announcement = new Announcement(() => {
    over ??= heard
  })
  for (const one of news) {
    heard += 1
    if (one === "FORGOTTEN") announcement.isForgotten()
    else announcement.isAnnounced(one.told)
  }
  return over
}

describe("the announcement of a changed key", () => {
  it("waits for the last of the nodes that were told", () => {
    expect(overAfter({ told: 3 }, "FORGOTTEN", "FORGOTTEN")).toBe(null)
    expect(overAfter({ told: 3 }, "FORGOTTEN", "FORGOTTEN", "FORGOTTEN")).toBe(4)
  })

  it("waits for the number of nodes, also when those that were told have forgotten before it is known", () => {
    expect(overAfter("FORGOTTEN", "FORGOTTEN")).toBe(null)
    expect(overAfter("FORGOTTEN", { told: 2 }, "FORGOTTEN")).toBe(3)
    expect(overAfter("FORGOTTEN", "FORGOTTEN", { told: 2 })).toBe(3)
  })

  it("waits for nobody when Redis told nobody", () => {
    expect(overAfter({ told: 0 })).toBe(1)
  })
})
