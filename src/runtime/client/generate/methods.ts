/** The last sections of a package's page: every method of each client with what it does and the request that it makes. */
import type { ApiContract, ApiOperation } from "./apiContract.ts"

/** `startJourney(body)`; a language may have names of its own. Filters and options are left out. */
const callOf = ({ body, inPath, name }: ApiOperation, inLanguage: (name: string) => string): string =>
  `${inLanguage(name)}(${[...inPath.map((one) => inLanguage(one.name)), ...(body === null ? [] : ["body"])].join(", ")})`

const sectionOf = (
  heading: string,
  { operations }: ApiContract,
  inLanguage: (name: string) => string
): ReadonlyArray<string> => [
  `## ${heading}\n`,
  "| method | does | request |",
  "|---|---|---|",
  ...operations.map((operation) => {
    const [does = ""] = operation.about.split("\n")
    return `| \`${callOf(operation, inLanguage)}\` | ${does} | \`${operation.method} ${operation.path}\` |`
  }),
  ""
]

interface Contracts {
  readonly callers: ApiContract
  readonly settings: ApiContract
}

/** The page, and the sections behind it. */
export const withMethods = (
  page: string,
  { callers, settings }: Contracts,
  inLanguage: (name: string) => string = (name) => name
): string =>
  [
    page,
    ...sectionOf("Every method", callers, inLanguage),
    ...sectionOf("Every method of the settings client", settings, inLanguage)
  ].join("\n")
