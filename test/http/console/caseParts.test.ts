/** What the team reads of a case: a fact that nobody knows is left out, with its name. */
import { expect, it } from "vitest"
import { caseSections } from "../../../src/http/console/cases/caseParts.ts"
import { exampleCase } from "../../../src/http/documents/exampleCase.ts"

const file = exampleCase(() => ({
  picture: () => "/picture",
  frame: () => "/frame",
  video: "/video",
  timeline: "/timeline"
}))
const read = (make: string | null, model: string | null): string =>
  caseSections({ ...file, vehicle: file.vehicle && { ...file.vehicle, make, model } }).text

it("names make and model as far as they are known, and nothing of a vehicle of which the start named only the registration", () => {
  expect(read("Volvo", "Estate")).toMatch(/Make and model<\/dt>\s*<dd><bdi>Volvo Estate</)
  expect(read(null, "Estate")).toMatch(/Make and model<\/dt>\s*<dd><bdi>Estate</)
  expect(read(null, null)).toContain("Registration")
  expect(read(null, null)).not.toContain("Make and model")
})
