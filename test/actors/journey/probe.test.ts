import { it, expect } from "vitest"
import fc from "fast-check"
import { sequences, play } from "./sequences.ts"
it("x", () => {
  const t0 = Date.now()
  const s = fc.sample(sequences({ clock: "steps back" }), { numRuns: 2000, seed: 1 })
  const t1 = Date.now()
  const hs = s.map((x) => play(x))
  const t2 = Date.now()
  const by: any = {}
  for (const h of hs) { by[h.journey.status] = (by[h.journey.status] ?? 0) + 1 }
  const len = s.reduce((a, x) => a + x.letters.length, 0) / s.length
  const steps = hs.reduce((a, x) => a + x.entries.filter((e) => e.outcome._tag === "Step").length, 0) / s.length
  console.log(t1 - t0, t2 - t1, by, len, steps)
  const tags: any = {}
  for (const h of hs) for (const e of h.entries) if (e.outcome._tag === "Step") tags[e.letter.message._tag] = (tags[e.letter.message._tag] ?? 0) + 1
  console.log(tags)
  expect(1).toBe(1)
})
