/**
 * Our own Markdown as HTML: headings with ids to link to, tables and code that scroll on a telephone, links between pages of docs as
 * links between guides. The Markdown is the project's own; what somebody else wrote is never rendered here.
 */
import { Marked, type Token, type Tokens } from "marked"
import { Html } from "../server/pages/html.ts"

/** A part of a page, from a heading to the next. */
export interface Section {
  readonly id: string
  readonly title: string
  /** As plain words, for the search. */
  readonly text: string
}

export interface Rendered {
  readonly title: string
  readonly content: Html
  readonly sections: ReadonlyArray<Section>
}

/** As editors and forges make it of a heading. */
const idOf = (title: string): string =>
  title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s-]/gu, "")
    .trim()
    .replaceAll(/\s+/g, "-")

/** `integrators.md#sizing` as the address of the guide; null: the page is no guide. */
export type LinkTo = (page: string, anchor: string) => string | null

const markedWith = (linkTo: LinkTo): Marked =>
  new Marked({
    renderer: {
      heading({ depth, text, tokens }) {
        return `<h${depth} id="${idOf(text)}">${this.parser.parseInline(tokens)}</h${depth}>`
      },
      table(token) {
        const row = (cells: ReadonlyArray<Tokens.TableCell>, tag: "td" | "th") =>
          `<tr>${cells.map(({ tokens }) => `<${tag}>${this.parser.parseInline(tokens)}</${tag}>`).join("")}</tr>`
        const rows = token.rows.map((cells) => row(cells, "td")).join("")
        return `<div class="wide" tabindex="0"><table><thead>${row(token.header, "th")}</thead><tbody>${rows}</tbody></table></div>`
      },
      code(token) {
        const escaped = token.text.replaceAll("&", "&amp;").replaceAll("<", "&lt;")
        return `<pre tabindex="0"><code>${escaped}</code></pre>`
      },
      link({ href, tokens }) {
        const inner = this.parser.parseInline(tokens)
        const [, page, anchor = ""] = /^([\w-]+)\.md(#[\w-]+)?$/.exec(href) ?? []
        const address = page === undefined ? href : linkTo(page, anchor)
        return address === null ? inner : `<a href="${address}">${inner}</a>`
      },
      // Comments mark examples for the tests.
      html: () => ""
    }
  })

const isHeading = (token: Token): token is Tokens.Heading => token.type === "heading"

const isTable = (token: Token): token is Tokens.Table => token.type === "table"

const textOf = (token: Token): string => {
  if (isTable(token)) return [token.header, ...token.rows].flatMap((cells) => cells.map(({ text }) => text)).join(" ")
  return "text" in token ? String(token.text) : token.raw
}

const wordsOf = (token: Token): string => textOf(token).replaceAll(/[`*|]/g, " ")

const sectionsOf = (tokens: ReadonlyArray<Token>, title: string): ReadonlyArray<Section> => {
  const sections: Array<{ id: string; title: string; text: string }> = [{ id: "main", title, text: "" }]
  for (const token of tokens) {
    if (isHeading(token)) sections.push({ id: idOf(token.text), title: wordsOf(token), text: "" })
    else sections[sections.length - 1]!.text += ` ${wordsOf(token)}`
  }
  return sections.filter(({ text }) => text.trim() !== "")
}

/** Whether the part under a heading of the second depth is shown. Before the first of them the part is "". */
export type IsShown = (part: string) => boolean

const shownOf = (tokens: ReadonlyArray<Token>, isShown: IsShown): ReadonlyArray<Token> => {
  let part = ""
  return tokens.filter((token) => {
    if (isHeading(token) && token.depth === 2) part = token.text
    return isShown(part)
  })
}

/** The anchors of the headings that are shown, as links name them: `#webhooks`. */
export const anchorsOf = (markdown: string, isShown: IsShown): ReadonlySet<string> =>
  new Set(
    shownOf(new Marked().lexer(markdown), isShown).flatMap((token) =>
      isHeading(token) ? [`#${idOf(token.text)}`] : []
    )
  )

/** The heading of the page is shown by its frame. */
export const rendered = (markdown: string, linkTo: LinkTo, isShown: IsShown): Rendered => {
  const marked = markedWith(linkTo)
  const tokens = shownOf(marked.lexer(markdown), isShown)
  const first = tokens.find((token) => isHeading(token) && token.depth === 1)
  const title = first === undefined ? "" : wordsOf(first)
  const shown = tokens.filter((token) => token !== first)
  return { title, content: new Html(marked.parser([...shown])), sections: sectionsOf(shown, title) }
}
