/** The first page of the console: the company that somebody looks at. */
import { html } from "../server/html.ts"
import { companyPage, showPage } from "./consolePage.ts"

export const overviewRoutes = [
  {
    method: "GET",
    path: "/console",
    handle: companyPage((user) =>
      showPage(user, {
        heading: user.company.name,
        content: html`<p>Choose a section.</p>`
      })
    )
  }
] as const
