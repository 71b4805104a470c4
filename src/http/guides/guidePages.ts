/** The pages of the guides: the list, and one page a guide. What a guide says is in `guides.ts`. */
import { Effect } from "effect"
import { HttpRouter } from "effect/http"
import type { ServiceAddress } from "../../actors/mail/ServiceAddress.ts"
import type { Route } from "../server/answers/answering.ts"
import { addressShown } from "../server/pages/addressShown.ts"
import { html, Html } from "../server/pages/html.ts"
import { errorsPath, guideResponse, guidesPath } from "./guideFrame.ts"
import { guides } from "./guides.ts"

const list = () =>
  guideResponse({
    heading: "Guides",
    section: guidesPath,
    content: html`<dl class="guides">
      ${guides.map(
        ({ about, name, title }) =>
          html`<dt><a href="${guidesPath}/${name}">${title}</a></dt>
            <dd>${about}</dd>`
      )}
      <dt><a href="/docs">Reference</a></dt>
      <dd>Every operation, event and answer, with examples, and a form that sends requests.</dd>
      <dt><a href="${errorsPath}">Error codes</a></dt>
      <dd>When each comes, an example, and what to do.</dd>
    </dl>`
  })

const noSuchGuide = () =>
  guideResponse({
    heading: "No such guide",
    status: 404,
    content: html`<p>There is no such guide. <a href="${guidesPath}">All guides</a></p>`
  })

/** The address of a service that was started without a setting, as the guides' commands name it. */
const localAddress = "http://127.0.0.1:3000"

/** The commands of a guide as they work against the service that shows it. */
export const commandsAt = (address: string, content: Html): Html =>
  // A function: in a text, `$&` would mean something.
  new Html(content.text.replaceAll(localAddress, () => html`${address}`.text))

const guidePage = (name: string, address: string) => {
  const guide = guides.find((one) => one.name === name)
  if (guide === undefined) return noSuchGuide()
  const { content, sections } = guide.page()
  const parts = sections.filter(({ id }) => id !== "main")
  return guideResponse({
    heading: guide.title,
    section: guidesPath,
    content: html`${
      parts.length > 2 &&
      html`<details class="parts">
        <summary>On this page</summary>
        <ul>
          ${parts.map(({ id, title }) => html`<li><a href="#${id}">${title}</a></li>`)}
        </ul>
      </details>`
    }
    ${commandsAt(address, content)}`
  })
}

export const guidePageRoutes: ReadonlyArray<Route<HttpRouter.RouteContext | ServiceAddress>> = [
  { method: "GET", path: guidesPath, handle: () => Effect.sync(list) },
  {
    method: "GET",
    path: `${guidesPath}/:name`,
    handle: (request) =>
      Effect.zipWith(HttpRouter.params, addressShown({ request }), ({ name = "" }, address) => guidePage(name, address))
  }
]
