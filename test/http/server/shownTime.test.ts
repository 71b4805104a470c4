/** Times on the pages of a company's people. */
import { expect, it } from "vitest"
import { shownSecond, shownTime } from "../../../src/http/server/pages/shownTime.ts"

it("says the clock of the customers beside UTC where it is another one, and the day where that is another one", () => {
  expect(shownTime("2026-01-04T13:05:00.000Z").text).toContain(">4 Jan 2026, 13:05 UTC</time>")
  expect(shownTime("2026-01-04T13:05:00.000Z").text).not.toContain("London")
  expect(shownTime("2026-07-04T13:05:00.000Z").text).toContain(">4 Jul 2026, 13:05 UTC</time> (14:05 in London)")
  expect(shownSecond("2026-07-04T23:05:09.000Z").text).toContain("23:05:09 UTC</time> (00:05 in London, the next day)")
})
