/** What every page of the service has in its head: characters, width, themes, title, icon and sheets. The pages' bodies are not known here. */
import { html, type Html, type Shown } from "../../server/pages/html.ts"
import { iconPath } from "./assets.ts"

interface Head {
  readonly title: Shown
  readonly styles: ReadonlyArray<string>
  /** Settings and scripts that only these pages have. */
  readonly more?: Shown
}

export const documentHead = ({ more = null, styles, title }: Head): Html =>
  html`<head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <title>${title}</title>
    <link rel="icon" type="image/svg+xml" href="${iconPath}" />
    ${styles.map((path) => html`<link rel="stylesheet" href="${path}" />`)} ${more}
  </head>`
