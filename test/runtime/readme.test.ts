/** Holds the README and the pages under docs to the code that they speak of. */
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { Duration } from "effect"
import { describe, expect, it } from "vitest"
import { customerLimits } from "../../src/actors/customer/limits.ts"
import { memberLimits } from "../../src/actors/members/limits.ts"
import { FinanceStatus, HandoverStatus, IdentityStatus, JourneyStatus } from "../../src/schema/journey/statuses.ts"
import { limitsPage } from "../tidy/limitsPage.ts"
import { settingsPage } from "../tidy/settingsPage.ts"

const root = resolve(import.meta.dirname, "../..")
const pages = ["README.md", ...readdirSync(join(root, "docs")).map((name) => `docs/${name}`)]
const textOf = (page: string): string => readFileSync(join(root, page), "utf8")

it("prints every environment variable on the page of settings, as npm run settings does", () => {
  expect(textOf("docs/settings.md")).toBe(`${settingsPage()}\n`)
})

it("prints every limit on the page of limits, as npm run limits does", async () => {
  expect(textOf("docs/limits.md")).toBe(`${await limitsPage()}\n`)
})

const hours = (duration: Duration.Duration): string => `${Duration.toHours(duration)} hours`
const minutes = (duration: Duration.Duration): string => `${Duration.toMinutes(duration)} minutes`

it("has the ends of sessions on the page of access as they are", () => {
  const text = textOf("docs/access.md")
  const { sessionIdleTime, sessionLifetime } = memberLimits
  const ofConsole = `| ${hours(sessionIdleTime)} | ${hours(sessionLifetime)} |`
  expect(text.split(ofConsole)).toHaveLength(4)
  const { sessionIdleTime: idle, sessionLifetime: longest } = customerLimits
  expect(text).toContain(`| a customer's | ${minutes(idle)} | ${hours(longest)} |`)
})

it("keeps the README short enough to be read", () => {
  expect(textOf("README.md").split("\n").length).toBeLessThanOrEqual(180)
})

it("draws every status that callers read in the README", () => {
  const [, drawn = ""] = textOf("README.md").split("## A journey and its states")
  const [picture = ""] = drawn.split("## What is promised")
  const statuses = [FinanceStatus, IdentityStatus, HandoverStatus, JourneyStatus].flatMap(
    ({ literals }): ReadonlyArray<string> => literals
  )
  // A cash sale waits for its identity check in a status of its own, which the picture leaves out.
  expect(statuses.filter((status) => !picture.includes(status))).toEqual(["AWAITING_IDENTITY"])
})

describe("the page of OWASP ASVS 5.0.0", () => {
  const text = textOf("docs/asvs.md")
  const rows = text.split("\n").map((line) => line.split("|").map((cell) => cell.trim()))
  const verdicts = ["holds", "in part", "missing"]
  const judged = rows.flatMap(([, id = "", level = "", , verdict = ""]) =>
    /^\d+\.\d+\.\d+$/.test(id) && /^[12]$/.test(level) ? [{ id, verdict }] : []
  )
  const unconcerned = rows.flatMap(([, ids = "", , rest]) =>
    rest === "" && /^\d+\.\d+\.\d+/.test(ids) ? ids.split(", ") : []
  )

  it("has each of the 253 requirements of levels 1 and 2 once, with a verdict", () => {
    const ids = [...judged.map(({ id }) => id), ...unconcerned]
    expect([ids.length, new Set(ids).size]).toEqual([253, 253])
    expect(judged.filter(({ verdict }) => !verdicts.includes(verdict))).toEqual([])
  })

  it("counts its verdicts rightly, and the page of security says the same", () => {
    const [holds, part, missing] = verdicts.map((one) => judged.filter(({ verdict }) => verdict === one).length)
    const none = unconcerned.length
    for (const [verdict, count] of [...verdicts, "does not concern"].entries()) {
      expect(text).toContain(`| ${count} | ${[holds, part, missing, none][verdict]} |`)
    }
    expect(textOf("docs/security.md")).toContain(
      `${holds} hold, ${part} hold in part, ${missing} are missing and ${none} do not concern the service`
    )
  })
})

/** The places of a page to which a link can lead, as GitHub and the guides name them. */
const placesIn = (page: string): ReadonlyArray<string> =>
  [...textOf(page).matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\w -]/g, "")
      .replaceAll(" ", "-")
  )

describe.each(pages)("%s", (page) => {
  const text = textOf(page)

  it("names only npm scripts that exist", () => {
    const { scripts } = JSON.parse(textOf("package.json")) as { readonly scripts: Readonly<Record<string, string>> }
    const named = [...text.matchAll(/npm run (?:-s )?([a-z][a-z:-]*)/g)].map(([, name]) => name ?? "")
    expect(named.filter((name) => !Object.keys(scripts).includes(name))).toEqual([])
  })

  it("names only files and folders that exist", () => {
    const links = [...text.matchAll(/\]\(([^)#]+)\)/g)].map(([, link]) => join(page, "..", link ?? ""))
    const paths = [...text.matchAll(/`((?:src|test|docs|deploy)\/[\w./-]+)`/g)]
      .map(([, path]) => path ?? "")
      .filter((path) => !path.startsWith("test/output"))
    expect([...links, ...paths].filter((path) => !existsSync(join(root, path)))).toEqual([])
  })
  it("leads only to headings that exist", () => {
    const links = [...text.matchAll(/\]\(([\w./-]*)#([\w-]+)\)/g)].filter(([, link = ""]) => !link.includes(":"))
    const lost = links.filter(
      ([, link = "", place = ""]) => !placesIn(link === "" ? page : join(page, "..", link)).includes(place)
    )
    expect(lost.map(([whole]) => whole)).toEqual([])
  })
})
