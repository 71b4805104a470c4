/**
 * The company's logo and colour as customers see them, on a light ground and on a dark one. Drawn as a picture: the policy of the
 * pages lets no style stand in an attribute.
 */
import type { CompanyResource } from "../../../schema/company/Company.ts"
import { brandColours, brandGrounds, usualColour, type Accent } from "../../../schema/company/brandColours.ts"
import { logoPath } from "../../app/frame/brandFiles.ts"
import { html, type Html } from "../../server/pages/html.ts"

const sample = (name: string, ground: string, { accent, onAccent }: Accent): Html =>
  html`<figure class="sample">
    <svg viewBox="0 0 240 64" width="240" height="64" role="img" aria-label="A button and a link, ${name}">
      <rect width="240" height="64" fill="${ground}" />
      <rect x="12" y="14" width="110" height="36" rx="6" fill="${accent}" />
      <text x="67" y="37" text-anchor="middle" font-size="15" fill="${onAccent}">Continue</text>
      <text x="140" y="37" font-size="15" text-decoration="underline" fill="${accent}">A link</text>
    </svg>
    <figcaption>${name}</figcaption>
  </figure>`

export const brandPreview = ({ brand: { colour, logo }, name }: CompanyResource): Html => {
  const colours = brandColours(colour ?? usualColour)
  return html`<div class="samples">
      ${sample("On light pages", brandGrounds.light[1], colours.light)}
      ${sample("On dark pages", brandGrounds.dark[1], colours.dark)}
    </div>
    ${
      logo === null
        ? html`<p>Without a logo, pages show the name: <bdi>${name}</bdi>.</p>`
        : html`<p class="logo">
            <img src="${logoPath(logo.digest)}" alt="The logo" width="${logo.width}" height="${logo.height}" />
          </p>`
    }`
}
