/**
 * The text that `npm start` prints once the service listens: the addresses, the keys, and commands that can be pasted
 * into a shell as they are. The keys themselves are shown on the first start only; later the commands read them from
 * the file.
 */
import * as Path from "node:path"
import type { Demo } from "./demoFile.ts"
import { startExamples } from "../../schema/start/examples.ts"
import { demoCompanies, type FirstStart } from "./firstStart.ts"

/** The text, without a line break at its end. Paths are shown relative to `workingFolder`. */
export const announcement = (baseUrl: string, first: FirstStart, workingFolder: string): string =>
  [
    `Journeys listens on ${baseUrl}`,
    "",
    ...columns([
      ["Home", `${baseUrl} (starts test journeys, shows their mails)`],
      ["Guides", `${baseUrl}/docs/guides (begin here)`],
      ["API", `${baseUrl}/api/v1/journeys`],
      ["Docs", `${baseUrl}/docs`],
      ["Console", `${baseUrl}/console`],
      ["Settings", `${baseUrl}/settings/v1 (or: npm run journeys -- --help)`]
    ]),
    "",
    ...companyLines(baseUrl, first, workingFolder)
  ].join("\n")

const companyLines = (baseUrl: string, first: FirstStart, workingFolder: string): ReadonlyArray<string> => {
  switch (first._tag) {
    case "DemoMade":
      return [
        `Two demo companies were made; their keys are kept in ${shown(first.file, workingFolder)}:`,
        "",
        ...keyLines(first.demo),
        "",
        `Sign in to the console as ${demoCompanies.map(({ adminEmail }) => adminEmail).join(" or ")}: the mail with the link`,
        `is in the mailbox, ${baseUrl}/mailbox, unless SMTP_URL is set.`,
        "",
        ...commandLines(baseUrl, first.demo.companies[0]?.testKey ?? "", shown(first.file, workingFolder))
      ]
    case "DemoThere": {
      const file = shown(first.file, workingFolder)
      return [
        `The keys of the demo companies are in ${file}.`,
        "",
        ...commandLines(baseUrl, `$(node -p 'JSON.parse(fs.readFileSync("${file}")).companies[0].testKey')`, file)
      ]
    }
    case "NoCompany":
      return [
        "There is no company yet. Make one, and a key for it:",
        "",
        `  npm run journeys -- companies create --name "Harbour Cars" --kind DEALER --admin-email owner@example.com`,
        "  npm run journeys -- keys create COMPANY_ID --mode TEST"
      ]
    case "Nothing":
      return ["Companies and keys: npm run journeys -- companies list"]
  }
}

const keyLines = ({ companies }: Demo): ReadonlyArray<string> =>
  columns(
    companies.flatMap(({ liveKey, name, testKey }) => [
      [name, "test key", testKey],
      ["", "live key", liveKey]
    ])
  )

/** `key` is text for a double-quoted word of the shell. `file` is where the keys are. */
const commandLines = (baseUrl: string, key: string, file: string): ReadonlyArray<string> => [
  "Start a test journey:",
  "",
  `curl -sS -X POST ${baseUrl}/api/v1/journeys \\`,
  `  -H "Authorization: Bearer ${key}" \\`,
  `  -H "Idempotency-Key: demo-$(date +%s)" \\`,
  `  -H "Content-Type: application/json" \\`,
  `  -d '${singleQuoted(JSON.stringify(startExamples.IDENTITY_DELIVERY))}'`,
  "",
  "Watch it go (a step every few seconds, Ctrl-C to stop):",
  "",
  `while curl -sS "${baseUrl}/api/v1/journeys?size=1" -H "Authorization: Bearer ${key}"; do echo; sleep 2; done`,
  "",
  "Send the webhooks of the next test journeys to a program of yours on this machine (Ctrl-C to stop):",
  "",
  // Both variables are named, because another shell may not have the settings that the service was started with.
  `BASE_URL=${baseUrl} DATA_DIR="${Path.dirname(file)}" npm run journeys -- listen --forward-to http://127.0.0.1:4000/hook`
]

const singleQuoted = (text: string): string => text.replaceAll("'", `'\\''`)

const shown = (file: string, workingFolder: string): string => {
  const relative = Path.relative(workingFolder, file)
  return relative.startsWith("..") ? file : relative
}

const columns = (rows: ReadonlyArray<ReadonlyArray<string>>): ReadonlyArray<string> => {
  const widths = (rows[0] ?? []).map((_, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)))
  return rows.map((row) => `  ${row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join("  ")}`.trimEnd())
}
