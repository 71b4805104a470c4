/**
 * Hooks of tests: a file that tests import registers none when it is imported, but in a function that each test file calls. Test files
 * share a process, and what they import runs once: hooks at its top level would be those of the first file alone.
 */
import type { SourceFile } from "./sources.ts"

const hook = /^(?:beforeAll|beforeEach|afterAll|afterEach)\(/

/** The files with such a hook at their top level. */
export const filesWithHooks = (files: ReadonlyArray<SourceFile>): ReadonlyArray<string> =>
  files
    .filter(({ parsed, text }) =>
      parsed.program.body.some(
        ({ end, start, type }) => type === "ExpressionStatement" && hook.test(text.slice(start, end))
      )
    )
    .map(({ path }) => path)
