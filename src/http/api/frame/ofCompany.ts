/** What the endpoints of the settings API have in common: the company in the path, and the form of lists. */
import { Effect, type Schema } from "effect"
import type { HttpRouter } from "effect/http"
import { CompanyStore } from "../../../actors/company/CompanyStore.ts"
import { CompanyIdParameter, naming } from "../../../schema/decoding/parameters.ts"
import { answerOf, cursorPageOf, listPageOf } from "../../server/answers/envelope.ts"
import { problem, type Problem } from "../../server/answers/problems.ts"
import type { ApiKeyId, CompanyId, EventId, JourneyId, MemberId } from "../../../schema/ids.ts"

export const companiesPath = "/settings/v1/companies"
export const companyPath = `${companiesPath}/:companyId` as const
export const ofCompany = {
  companyId: CompanyIdParameter.annotate({ description: "The company's id", ...naming("company") })
}

export const notFound = (field: string): Problem => problem("NOT_FOUND", field)

/** A request whose path names these ids. */
export interface AsksForIds<Names extends string> {
  readonly path: PathOf<Names>
}

/** One signature for each name, as an endpoint's own `path` has them. */
type PathOf<Names extends string> = (
  Names extends string
    ? (path: (name: Names) => Effect.Effect<IdOf<Names>, Problem, HttpRouter.RouteContext>) => void
    : never
) extends (path: infer Path) => void
  ? Path
  : never

/** The type of the id that a part of a path names. */
type IdOf<Name extends string> = Name extends "companyId"
  ? CompanyId
  : Name extends "journeyId"
    ? JourneyId
    : Name extends "memberId"
      ? MemberId
      : Name extends "reviewId"
        ? EventId
        : Name extends "keyId"
          ? ApiKeyId
          : string

/** The company of the path; nothing else of a request is judged before the company is known to exist. */
export const companyAsked = Effect.fnUntraced(function* ({ path }: AsksForIds<"companyId">) {
  const id = yield* path("companyId")
  const store = yield* CompanyStore
  return (yield* store.find(id)) ?? (yield* notFound("company"))
})

/** The answer of a list that is read piece by piece. */
export const pieces = <const Entry extends Schema.Top>(name: string, entry: Entry) =>
  answerOf(`${name}Answer`, cursorPageOf(name, entry))

/** The answer of a list that is read page by page. */
export const pages = <const Entry extends Schema.Top>(name: string, entry: Entry) =>
  answerOf(`${name}Answer`, listPageOf(name, entry))
