/**
 * What axe-core finds wrong with a page that is open in a browser: each rule that is broken, and where. axe is put into the
 * page by the debugging protocol, which no Content-Security-Policy forbids; the page itself stays as strict as it is. A page
 * is looked at in light first: dark changes colours and nothing else, so in dark only the rules about colours are asked.
 */
import axe from "axe-core"
import type { Page } from "../http/documents/browser.ts"

const run = `axe.run(document, {
  resultTypes: ["violations"],
  ...(matchMedia("(prefers-color-scheme: dark)").matches ? { runOnly: ["color-contrast", "link-in-text-block"] } : {})
}).then(({ violations }) =>
  JSON.stringify(violations.map(({ help, id, nodes }) =>
    id + " (" + help + "): " + nodes.map(({ html, target }) => target.join(" ") + " " + html.slice(0, 160)).join("; "))))`

/** A sentence for each rule that the page breaks, as it is shown now: none for a page that anybody can use. */
export const accessibilityProblems = async (page: Pick<Page, "evaluate">): Promise<ReadonlyArray<string>> => {
  if ((await page.evaluate("typeof axe")) !== "object") await page.evaluate(`${axe.source}; undefined`)
  const found = await page.evaluate(run)
  if (typeof found !== "string") throw new Error("axe did not run")
  return JSON.parse(found) as ReadonlyArray<string>
}
