/** The browser of the tests itself: what it leaves behind when it is closed. */
import { existsSync } from "node:fs"
import { expect, it } from "vitest"
import { childProcesses } from "../../support/childProcesses.ts"
import { eventually } from "../../support/eventually.ts"
import { chromium, openBrowser } from "./browser.ts"

it.skipIf(chromium === undefined)("a browser that is closed leaves no process behind", async () => {
  const before = childProcesses("--user-data-dir=")
  const browser = await openBrowser(chromium ?? "")
  await browser.newPage()
  const started = childProcesses("--user-data-dir=").filter((pid) => !before.includes(pid))
  expect(started.length).toBeGreaterThan(0)
  await browser.close()
  await eventually(
    () => started.filter((pid) => existsSync(`/proc/${pid}`)),
    ({ length }) => length === 0
  )
})
