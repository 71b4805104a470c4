/** A cell that several lists of the operator's pages have: the company of a row. */
import { html, type Html } from "../../server/html.ts"
import { operatorPath } from "../frame/consoleFrame.ts"

export const companyLink = (one: { readonly companyId: string; readonly companyName: string }): Html =>
  html`<a href="${operatorPath}/companies/${one.companyId}"><bdi>${one.companyName}</bdi></a>`
