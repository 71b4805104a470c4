/**
 * How these tests ask for a verdict: take the example of a shape, change it at some paths, and see the problems as
 * "CODE field" lines in the order of the answer. An accepted body has no lines.
 */
import { Result } from "effect"
import { decodeStart } from "../../../src/schema/start/decodeStart.ts"
import { startExamples } from "../../../src/schema/start/examples.ts"
import type { StartCircumstances } from "../../../src/schema/start/rules.ts"
import type { StartRequest } from "../../../src/schema/start/startBodies.ts"
import type { Shape } from "../../../src/schema/journey/statuses.ts"

/** A value that removes the member it is put at. */
export const absent = Symbol("absent")

export type Changes = Readonly<Record<string, unknown>>

export const shapes = Object.keys(startExamples) as ReadonlyArray<Shape>

export const now = Date.parse("2026-01-15T10:30:00Z")

export const photo = { image: "JPEG", bytes: 200_000 } as const

/** A dealer's call, as JSON unless the shape needs the photo. */
export const factsFor = (shape: Shape, facts: Partial<StartCircumstances> = {}): StartCircumstances => ({
  companyKind: "DEALER",
  isDealerKnown: true,
  now,
  transport: shape === "FINANCE_SALE" ? "MULTIPART" : "JSON",
  photo: shape === "FINANCE_SALE" ? photo : null,
  ...facts
})

export const verdict = (
  shape: Shape,
  changes: Changes = {},
  facts: Partial<StartCircumstances> = {}
): ReadonlyArray<string> => verdictOn(changed(startExamples[shape], changes), factsFor(shape, facts))

export const verdictOn = (body: unknown, facts: StartCircumstances): ReadonlyArray<string> =>
  Result.match(decodeStart(body, facts), {
    onSuccess: () => [],
    onFailure: (errors) => errors.map(({ code, field }) => `${code} ${field}`)
  })

/** The messages of a refused body. */
export const messages = (
  shape: Shape,
  changes: Changes,
  facts: Partial<StartCircumstances> = {}
): ReadonlyArray<string> =>
  Result.match(decodeStart(changed(startExamples[shape], changes), factsFor(shape, facts)), {
    onSuccess: () => [],
    onFailure: (errors) => errors.map(({ message }) => message)
  })

export const accepted = (shape: Shape, changes: Changes = {}, facts: Partial<StartCircumstances> = {}): StartRequest =>
  Result.getOrThrow(decodeStart(changed(startExamples[shape], changes), factsFor(shape, facts)))

/** A copy of `body` with each path ("finance.addressHistory[0].postcode") set to its value. */
export const changed = (body: unknown, changes: Changes): unknown => {
  const copy: unknown = structuredClone(body)
  for (const [path, value] of Object.entries(changes)) {
    const steps = path.split(/[.[\]]+/).filter((step) => step !== "")
    const last = steps.pop() ?? ""
    const parent = steps.reduce((at, step) => (at as Record<string, unknown>)[step], copy) as Record<string, unknown>
    if (value === absent) delete parent[last]
    else parent[last] = value
  }
  return copy
}
