/**
 * One search over guides, error codes, operations and events, on the server: the page needs no script, and no word of it goes
 * anywhere else. What is searched is made once, when somebody first searches.
 */
import { Effect } from "effect"
import type { OpenApi } from "effect/http-api"
import MiniSearch from "minisearch"
import { eventCatalogue } from "../../schema/journey/events.ts"
import { errorCatalogue, errorCodes } from "../../schema/problems.ts"
import { remedies } from "../../schema/remedies.ts"
import { openApiFor, openApiPaths, type Public } from "../api/contract.ts"
import type { Route } from "../server/answers/answering.ts"
import { pageQuery } from "../server/pages/pageQuery.ts"
import { html, type Html } from "../server/pages/html.ts"
import { errorPagePath } from "../server/answers/problems.ts"
import { guideResponse, guidesPath, searchPath } from "./guideFrame.ts"
import { guides } from "./guides.ts"
import { guideLimits } from "./limits.ts"

interface Found {
  readonly id: string
  readonly kind: "Guide" | "Error" | "Operation" | "Event"
  readonly title: string
  readonly text: string
}

const ofGuides = (): ReadonlyArray<Found> =>
  guides.flatMap(({ name, page, title }) =>
    page().sections.map((section) => ({
      id: `${guidesPath}/${name}#${section.id}`,
      kind: "Guide" as const,
      title: section.title === title ? title : `${title}: ${section.title}`,
      text: section.text
    }))
  )

const ofErrors = (): ReadonlyArray<Found> =>
  errorCodes.map((code) => ({
    id: errorPagePath(code),
    kind: "Error",
    title: code,
    text: `${errorCatalogue[code].meaning}. ${remedies[code]}`
  }))

/** Where the reference shows an operation; a document beside the first is named before it. */
const placeOf = (name: Public, tag: string, method: string, path: string): string =>
  `/docs${name === "integrators" ? "" : `?${name}`}#${name}/tag/${tag.toLowerCase().replaceAll(" ", "-")}/${method.toUpperCase()}${path}`

const operationsOf = (name: Public): ReadonlyArray<Found> =>
  Object.entries(openApiFor(name, null).paths).flatMap(([path, item]) =>
    Object.entries(item as Readonly<Record<string, OpenApi.OpenAPISpecOperation>>).map(
      ([method, { description = "", operationId, summary = operationId, tags }]) => ({
        id: placeOf(name, tags[0] ?? "", method, path),
        kind: "Operation" as const,
        title: `${summary}: ${method.toUpperCase()} ${path}`,
        text: `${operationId} ${description}`
      })
    )
  )

const ofEvents = (): ReadonlyArray<Found> =>
  Object.entries(eventCatalogue).map(([type, { when }]) => ({
    id: `${guidesPath}/journeys?event=${type}`,
    kind: "Event",
    title: type,
    text: when
  }))

const makeIndex = () => {
  const index = new MiniSearch<Found>({
    fields: ["title", "text"],
    storeFields: ["kind", "title", "text"],
    searchOptions: { boost: { title: 3 }, prefix: true, fuzzy: 0.15, combineWith: "AND" }
  })
  index.addAll([
    ...ofGuides(),
    ...ofErrors(),
    ...(Object.keys(openApiPaths) as ReadonlyArray<Public>).flatMap(operationsOf),
    ...ofEvents()
  ])
  return index
}

let index: MiniSearch<Found> | null = null

/** What was found, with the words of it that the search has met. */
type Match = Found & { readonly terms: ReadonlyArray<string> }

const found = (words: string): ReadonlyArray<Match> =>
  (index ??= makeIndex()).search(words).slice(0, guideLimits.mostFound) as unknown as ReadonlyArray<Match>

/** The part of the text around the first word that was met; the beginning where only the title was. */
export const excerpt = (text: string, terms: ReadonlyArray<string>): string => {
  const plain = text.replaceAll(/[`*]/g, "").replaceAll(/\s+/g, " ").trim()
  const { longestExcerpt, longestLead } = guideLimits
  if (plain.length <= longestExcerpt) return plain
  const lower = plain.toLowerCase()
  const places = terms.map((term) => lower.indexOf(term.toLowerCase())).filter((at) => at >= 0)
  const met = places.length === 0 ? 0 : Math.min(...places)
  const begins = met <= longestLead ? 0 : plain.indexOf(" ", met - longestLead) + 1
  const shown = plain.slice(begins, begins + longestExcerpt)
  return `${begins > 0 ? "… " : ""}${shown}${begins + longestExcerpt < plain.length ? " …" : ""}`
}

const results = (words: string): Html => {
  const all = found(words)
  if (all.length === 0) return html`<p>Nothing has these words. Try fewer, or others.</p>`
  return html`<ol class="found">
    ${all.map(
      ({ id, kind, terms, text, title }) =>
        html`<li>
          <p><a href="${id}">${title}</a> <small>${kind}</small></p>
          <p>${excerpt(text, terms)}</p>
        </li>`
    )}
  </ol>`
}

/** A question is a text; it is asked by GET, so that a result can be passed on. It is for words of the documentation only. */
export const searchRoute: Route<never> = {
  method: "GET",
  path: searchPath,
  handle: (request) =>
    Effect.sync(() => {
      const words = pageQuery({ request })("q").trim().slice(0, guideLimits.longestSearch)
      return guideResponse({
        heading: words === "" ? "Search" : "What was found",
        words,
        content:
          words === ""
            ? html`<p>Search the guides, the error codes, the operations and the events.</p>`
            : results(words)
      })
    })
}
