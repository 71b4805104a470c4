/** How a person names a company in a command: by its name, on whichever page of the list it stands. */
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { companyNamed } from "../../../src/runtime/cli/frame/names.ts"

/** One company on each page. */
const pages = ["Bay Motors", "Harbour Cars", "Harbour cars"]
const named = (name: string, totalPages: number) =>
  companyNamed(name, (page) =>
    Effect.succeed({ content: [{ id: `id of ${page}`, name: pages[page] ?? "" }], totalPages })
  )

it.effect("a company is found by its name on a later page of the list", () =>
  Effect.gen(function* () {
    assert.strictEqual(yield* named(" harbour cars ", 2), "id of 1")
    const { message } = yield* Effect.flip(named("Harbour Cars", 3))
    assert.include(message, "id of 1, id of 2")
  })
)
