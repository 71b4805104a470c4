/**
 * The lists of the console's pages: a table that scrolls by itself, the way to the next piece of a long list, a list of facts,
 * and the question before a change that cannot be taken back. Where a script runs, the next piece is put below the rows that
 * are there; without one the link leads to a page of its own.
 */
import { html, type Html, type Shown } from "../../server/pages/html.ts"
import { tokenField } from "../../server/pages/tokenField.ts"

export interface TableParts {
  /** What the table is, for whoever hears it. */
  readonly caption: string
  readonly head: ReadonlyArray<string>
  /** The cells of each row; the first one names the row. */
  readonly rows: ReadonlyArray<ReadonlyArray<Shown>>
  /** What to do first, while there is nothing. */
  readonly empty: Shown
  /** The address of the next piece; null when nothing follows. A page has one table that goes on in pieces. */
  readonly next?: string | null
}

/**
 * On a telephone each row is a card, in which the cells name their columns (`console.css`). The rows and, in their last row, the way to the next piece. Its script
 * takes them out of the next page by their id.
 */
export const listTable = ({ caption, empty, head, next, rows }: TableParts): Html => {
  if (rows.length === 0) return html`<div class="empty">${empty}</div>`
  return html`<div class="table" tabindex="0" role="group" aria-label="${caption}">
    <table>
      <caption>
        ${caption}
      </caption>
      <thead>
        <tr>
          ${head.map((title) => (title === "" ? html`<td></td>` : html`<th scope="col">${title}</th>`))}
        </tr>
      </thead>
      <tbody ${next !== undefined && html`id="rows"`}>
        ${rows.map(
          (cells) =>
            html`<tr>
              ${cells.map((cell, at) => (at === 0 ? html`<th scope="row">${cell}</th>` : html`<td data-title="${head[at] ?? ""}">${cell}</td>`))}
            </tr>`
        )}
        ${
          next != null &&
          html`<tr class="more">
            <td colspan="${head.length}">
              <a href="${next}" hx-get="${next}" hx-select="#rows > tr" hx-target="closest tr" hx-swap="outerHTML"
                >Show more</a
              >
            </td>
          </tr>`
        }
      </tbody>
    </table>
  </div>`
}

/** The next piece of what was searched for: by a form, so that what was searched for stays out of every address. */
export const moreFound = (
  formToken: string,
  path: string,
  { next, search }: { readonly next: string; readonly search: string }
): Html =>
  html`<form method="post" action="${path}" class="inline">
    ${tokenField(formToken)}
    <input type="hidden" name="search" value="${search}" />
    <button name="after" value="${next}" class="secondary outline">Show more</button>
  </form>`

/** An address with a query; what is empty is left out. */
export const withQuery = (path: string, query: Readonly<Record<string, string | null>>): string => {
  const given = Object.entries(query).filter((entry): entry is [string, string] => entry[1] !== null && entry[1] !== "")
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given).toString()}`
}

interface PagerParts {
  /** Counts from nought. */
  readonly page: number
  readonly totalPages: number
  /** The address of a page. */
  readonly at: (page: number) => string
  /** What lies before the page and behind it, where it is not newer and older. */
  readonly before?: string
  readonly behind?: string
}

/** The way to the pages beside a page of a list; nothing where the list has one page. */
export const pager = ({ at, before = "Newer", behind = "Older", page, totalPages }: PagerParts): Shown =>
  totalPages > 1 &&
  html`<p>
    ${page > 0 && html`<a rel="prev" href="${at(page - 1)}">${before}</a> · `} Page ${page + 1} of
    ${totalPages}${page + 1 < totalPages && html` · <a rel="next" href="${at(page + 1)}">${behind}</a>`}
  </p>`

/** The way to all lines of a list, as it is filtered, as a file. */
export const saveAsFile = (address: string): Html =>
  html`<p><a href="${address}">Save all lines as a file (CSV)</a></p>`

/** The address of a list without its filters; null: nothing is filtered. */
export const unfiltered = (path: string, filters: Readonly<Record<string, string>>): string | null =>
  Object.values(filters).some((value) => value !== "") ? path : null

/** Names and what they are; what is not set is said so. */
export const factList = (facts: ReadonlyArray<readonly [name: string, value: Shown]>): Html =>
  html`<dl class="facts fact-list">
    ${facts.map(
      ([name, value]) =>
        html`<div>
          <dt>${name}</dt>
          <dd>
            ${value === null || value === "" ? html`<em>not set</em>` : typeof value === "string" ? html`<bdi>${value}</bdi>` : value}
          </dd>
        </div>`
    )}
  </dl>`

type Line = readonly [name: string, value: Shown]

/**
 * A line for every member of a part of an answer. A member that the part gets later does not compile without its word here. False:
 * another line tells it, or the page leaves it out.
 */
export type LineOfEach<Part> = { readonly [Member in keyof Part]: Line | false }

export const linesShown = (lines: Readonly<Record<string, Line | false>>): ReadonlyArray<Line> =>
  Object.values(lines).filter((line) => line !== false)

/** A change that cannot be taken back is asked about first: the form is behind a button that opens it, also without a script. */
export const askedFirst = (question: string, form: Shown): Html =>
  html`<details class="asked-first">
    <summary role="button" class="secondary outline">${question}</summary>
    ${form}
  </details>`
