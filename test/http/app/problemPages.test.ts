/** Which answers are pages, and which are for scripts. */
import { expect, it } from "vitest"
import { problemAnswer, unknownOutcomePage } from "../../../src/http/app/frame/problemPages.ts"
import { errorCodes } from "../../../src/schema/problems.ts"
import { problem } from "../../../src/http/server/answers/problems.ts"

const page = "text/html; charset=utf-8"
const textOf = ({ body }: ReturnType<typeof problemAnswer>): string =>
  body._tag === "Uint8Array" ? Buffer.from(body.body).toString() : ""

it.each(errorCodes)("%s is a page with a heading and a way back under /app, and an envelope elsewhere", (code) => {
  const shown = problemAnswer({ url: "/app/identity", headers: {} }, problem(code, "request"))
  expect(shown.headers["content-type"]).toBe(page)
  expect(textOf(shown)).toMatch(/<h1>[^<]+<\/h1>/)
  expect(textOf(shown)).toContain(`href="/app/identity"`)
  expect(textOf(shown)).toContain(`href="/app/journey"`)
  const envelope = problemAnswer({ url: "/api/v1/journeys", headers: {} }, problem(code, "request"))
  expect(envelope.headers["content-type"]).toBe("application/json")
})

it.each([
  [{ url: "/app/video-uploads/x/chunks/1", headers: {} }, "application/json"],
  [{ url: "/app/journey", headers: { accept: "application/json" } }, "application/json"],
  [{ url: "/app/journey", headers: { "x-form-token": "x" } }, "application/json"],
  [{ url: "/app/journey", headers: { accept: "text/html,*/*" } }, page],
  [{ url: "//app/journey?x=1", headers: {} }, page],
  [{ url: "/app/video-uploadsx", headers: {} }, page],
  [{ url: "/apple", headers: {} }, "application/json"]
])("%j is answered as %s", (asked, type) => {
  expect(problemAnswer(asked, problem("INTERNAL_ERROR", "service")).headers["content-type"]).toBe(type)
})

it("people are told when nobody knows what became of their request; the connection of a script is dropped", () => {
  const shown = unknownOutcomePage({ url: "/app/address", headers: {} })
  expect([shown?.status, shown?.headers["content-type"]]).toEqual([503, page])
  expect(unknownOutcomePage({ url: "/app/video-uploads", headers: {} })).toBeNull()
})
