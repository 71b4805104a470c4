/** The last section of a package's page: every method of the client with what it does and the request that it makes. */
import type { ApiContract, ApiOperation } from "./apiContract.ts"

/** `startJourney(body)`; a language may have names of its own. Filters and options are left out. */
const callOf = ({ body, inPath, name }: ApiOperation, inLanguage: (name: string) => string): string =>
  `${inLanguage(name)}(${[...inPath.map((one) => inLanguage(one.name)), ...(body === null ? [] : ["body"])].join(", ")})`

/** The page, and the section behind it. */
export const withMethods = (
  page: string,
  { operations }: ApiContract,
  inLanguage: (name: string) => string = (name) => name
): string =>
  [
    page,
    "## Every method\n",
    "| method | does | request |",
    "|---|---|---|",
    ...operations.map((operation) => {
      const [does = ""] = operation.about.split("\n")
      return `| \`${callOf(operation, inLanguage)}\` | ${does} | \`${operation.method} ${operation.path}\` |`
    }),
    ""
  ].join("\n")
