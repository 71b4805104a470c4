/** Ids by the names that people have at hand: a company's name, and what the person on the telephone knows of a journey. */
import { Effect } from "effect"
import type { CompanyResource } from "../../../schema/company/Company.ts"
import type { ListedJourneyResource } from "../../../schema/company/ListedJourney.ts"
import { modeOf } from "../../../schema/Mode.ts"
import { CommandFailed } from "./CommandFailed.ts"
import { everyPage } from "./everyPage.ts"

const failed = (message: string) => new CommandFailed({ message })

interface CompaniesPage {
  readonly content: ReadonlyArray<Pick<CompanyResource, "id" | "name">>
  readonly totalPages: number
}

/** The id of the company with this name; letters' case does not count. */
export const companyNamed = Effect.fnUntraced(function* (
  name: string,
  listPage: (page: number) => Effect.Effect<CompaniesPage, CommandFailed>
): Effect.fn.Return<string, CommandFailed> {
  const companies = yield* everyPage(listPage)
  const found = companies.filter((one) => one.name.toLowerCase() === name.trim().toLowerCase())
  const [first, ...others] = found
  if (first === undefined) {
    return yield* failed(`no company has the id or the name "${name}"; see "companies list"`)
  }
  if (others.length > 0) {
    const ids = found.map(({ id }) => id).join(", ")
    return yield* failed(`several companies have the name "${name}": name one by its id (${ids})`)
  }
  return first.id
})

interface JourneysPiece {
  readonly content: ReadonlyArray<ListedJourneyResource>
  readonly next: string | null
}

/** The search finds references by their beginning, too. Whoever cancels "deal-10" does not mean "deal-1003". */
const isOnlyBeginning =
  (name: string) =>
  ({ journey: { externalReference } }: ListedJourneyResource): boolean =>
    externalReference !== null && externalReference !== name && externalReference.startsWith(name)

const lineOf = ({ journey, registration }: ListedJourneyResource): string =>
  [
    `  ${journey.id}`,
    modeOf(journey.livemode),
    journey.status,
    `created ${journey.createdAt}`,
    journey.externalReference ?? "-",
    registration ?? "-"
  ].join("  ")

/** The id of the only journey that the name finds, whole. `search` asks for a piece of what is found; `after`: where to go on. */
export const journeyNamed = Effect.fnUntraced(function* (
  given: string,
  search: (name: string, after: string | undefined) => Effect.Effect<JourneysPiece, CommandFailed>
): Effect.fn.Return<string, CommandFailed> {
  const name = given.trim()
  const all: Array<ListedJourneyResource> = []
  let after: string | null | undefined
  while (after !== null) {
    const { content, next }: JourneysPiece = yield* search(name, after)
    all.push(...content)
    after = next
  }
  const whole = all.filter((one) => !isOnlyBeginning(name)(one))
  const [first, ...others] = whole
  if (first !== undefined && others.length === 0) return first.journey.id
  const lines = (whole.length > 0 ? whole : all).map(lineOf).join("\n")
  if (whole.length > 0) return yield* failed(`"${name}" finds several journeys; name one by its id:\n${lines}`)
  if (all.length > 0) return yield* failed(`"${name}" is only the beginning of a reference; there are:\n${lines}`)
  return yield* failed(
    `no journey of the company has the id, reference, registration or customer's email "${name}"; "journeys list" shows its journeys`
  )
})
