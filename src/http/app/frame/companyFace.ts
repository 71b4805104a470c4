/**
 * How a page shows the company that speaks on it: its logo, name and colour above the content, and below whom to ask. What
 * of it a company has is said by the company's brand.
 */
import { hoursFor, type Brand } from "../../../schema/company/Brand.ts"
import type { Words } from "../../../schema/words/words.ts"
import { brandSheetPath, logoPath } from "./brandFiles.ts"
import { html, type Html } from "../../server/pages/html.ts"
import { inSentence, nameMark } from "./sentence.ts"

/** The company in whose name a page speaks. */
export interface CompanyFace {
  readonly name: string
  readonly brand: Brand
}

/** The style sheet comes after that of every page, whose colours it replaces. */
export const brandStyle = ({ brand: { colour } }: CompanyFace): Html | null =>
  colour === null ? null : html`<link rel="stylesheet" href="${brandSheetPath(colour)}" />`

export const companyHeader = ({ brand: { logo }, name }: CompanyFace): Html =>
  html`<header>
    ${
      logo === null
        ? null
        : html`<img class="logo" src="${logoPath(logo.digest)}" width="${logo.width}" height="${logo.height}" alt="" />`
    }
    <p class="company">${nameMark(name)}</p>
  </header>`

/** What a telephone dials. */
const dialled = (telephone: string): string => telephone.replaceAll(/[^+\d]/g, "")

/** Whom the customer can ask. Without a telephone there is always the reply to a mail. */
export const companyContact = ({ brand, name }: CompanyFace, { code, company }: Words): Html => {
  const { telephone } = brand
  const hours = hoursFor(brand, code)
  return html`<p class="contact">
      ${
        telephone === null
          ? inSentence(company.reply, { company: nameMark(name) })
          : html`${inSentence(company.call, { company: nameMark(name) })}
              <a class="alone" href="tel:${dialled(telephone)}"><bdi>${telephone}</bdi></a>`
      }
    </p>
    ${hours === null ? null : html`<p class="hours">${hours}</p>`}`
}

/** Out of the app, back to where the customer came from. */
export const returnButton = ({ brand: { returnUrl }, name }: CompanyFace, { company }: Words): Html | null =>
  returnUrl === null
    ? null
    : html`<p>
        <a class="button" href="${returnUrl}" rel="noreferrer"
          >${inSentence(company.back, { company: nameMark(name) })}</a
        >
      </p>`
