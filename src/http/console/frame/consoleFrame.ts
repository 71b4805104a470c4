/**
 * The frame of every page of the console: head, navigation, the sentence after a form, and the security headers. No other site
 * can frame a page, no browser keeps it, and it loads nothing from elsewhere. What a page says is not known here; who may see a
 * page is decided in `consolePage.ts`.
 */
import { HttpServerResponse } from "effect/http"
import { sessionScriptPath } from "../../app/frame/assets.ts"
import { documentHead } from "../../app/frame/documentHead.ts"
import { consoleSignInPath } from "../../../actors/members/consolePaths.ts"
import type { ChallengePurpose } from "../../../actors/members/Passkeys.ts"
import type { AskerIdentity } from "../../server/endpoints/Asker.ts"
import { englishFrame } from "../../../schema/words/en/frame.ts"
import { html, type Html, type Shown } from "../../server/pages/html.ts"
import { pageStatus } from "../../server/pages/pageStatus.ts"
import { sessionNote } from "../../server/pages/sessionNote.ts"
import { consoleStylePaths, htmxPaths } from "./assets.ts"
import type { Flash } from "./flash.ts"
import { navigationOf, sectionOf, type Navigation } from "./sections.ts"
import { tokenField } from "../../server/pages/tokenField.ts"

type Response = HttpServerResponse.HttpServerResponse

export const consolePath = "/console"
export const signInPath = consoleSignInPath
/** Where a session is led that waits for a passkey. */
export const passkeyPaths = {
  ADD: `${signInPath}/first-passkey`,
  SHOW: `${signInPath}/passkey`
} as const satisfies Readonly<Record<ChallengePurpose, string>>
/** Where the script of every page asks when the session ends, and prolongs the session. */
export const consoleSessionPath = "/console/session"
export const consoleSignOutPath = "/console/sign-out"
export const operatorPath = "/console/operator"
export const operatorSignInPath = `${operatorPath}/sign-in`
export const leaveCompanyPath = `${operatorPath}/leave-company`

/** What surrounds the content of a page for somebody who is signed in. */
export interface ConsoleFrame {
  readonly asker: AskerIdentity
  /** The name of the company that the page is about; null while the operator looks at none. */
  readonly companyName: string | null
  readonly formToken: string
  /** The path of the page. */
  readonly path: string
  /** The address of the sign-in that leads back to the page. */
  readonly signIn: string
  /** The address of the page; of an answer to a form that of the page with the form. */
  readonly here: string
  /** What the last form did, said once. */
  readonly flash: Flash | null
}

export interface ConsoleContent {
  /** The main heading of the page, and its title. */
  readonly heading: string
  /** Stands in the place of the heading where that names somebody: the title of a page stays in the history of the browser. */
  readonly shownHeading?: Shown
  readonly content: Shown
  readonly status?: number
  /** Paths of scripts that only this page needs. */
  readonly scripts?: ReadonlyArray<string>
  /** Replaces directives of the policy of every page, such as `frame-src 'self'`. */
  readonly alsoAllowed?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
  /** The session of a page before the sign-in is finished. */
  readonly session?: SessionOfPage
}

type SessionOfPage = Pick<ConsoleFrame, "formToken" | "here" | "signIn">

/**
 * Pico draws its arrows and ticks from pictures inside its style sheet (`data:`). Trusted Types, which the pages for customers demand, would stop htmx: it
 * makes elements of the text that it has fetched.
 */
const policy: Readonly<Record<string, string>> = {
  "default-src": "'none'",
  "script-src": "'self'",
  "style-src": "'self'",
  "img-src": "'self' data:",
  "media-src": "'self'",
  "connect-src": "'self'",
  "form-action": "'self'",
  "base-uri": "'none'",
  "frame-ancestors": "'none'"
}

const policyWith = (also: ConsoleContent["alsoAllowed"] = {}): string =>
  Object.entries({ ...policy, ...also })
    .map(([directive, sources]) => `${directive} ${sources}`)
    .join("; ")

/** The headers of every answer of the console, of pictures and streams too. */
export const consoleHeaders = {
  "content-security-policy": policyWith(),
  "referrer-policy": "same-origin",
  "x-frame-options": "DENY",
  "x-content-type-options": "nosniff",
  "cache-control": "no-store",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "permissions-policy": "camera=(), microphone=(), geolocation=(), payment=()",
  "x-robots-tag": "noindex, nofollow"
} as const

/** htmx adds no styles of its own, and runs nothing that is written in an attribute. */
const htmxSettings = '{"includeIndicatorCSS":false,"history":false}'

const document = (frame: ConsoleFrame | null, page: ConsoleContent): Html => {
  const { content, heading, scripts = [], shownHeading } = page
  const session = frame ?? page.session ?? null
  return html`<!doctype html>
    <html lang="en-GB" dir="ltr">
      ${documentHead({
        title: titleOf(frame, heading),
        styles: consoleStylePaths,
        more: html`<meta name="htmx-config" content="${htmxSettings}" />
          ${frame !== null && htmxPaths.map((path) => html`<script defer src="${path}"></script>`)}
          ${session !== null && html`<script type="module" src="${sessionScriptPath}"></script>`}
          ${scripts.map((path) => html`<script type="module" src="${path}"></script>`)}`
      })}
      <body>
        <a class="skip" href="#main">Skip to the content</a>
        ${frame === null ? bareHeader : header(frame)}
        <div class="sheet">
          ${frame !== null && navigation(frame)}
          <main id="main" tabindex="-1">
            <h1>${shownHeading ?? heading}</h1>
            ${frame?.flash == null ? null : flashHtml(frame.flash)} ${content}
          </main>
        </div>
        ${session !== null && noteOf(session)}
      </body>
    </html> `
}

/** Who was signed out signs in in another tab: what was typed into this page is still there to be copied. */
const noteOf = ({ formToken, here, signIn }: SessionOfPage): Html =>
  sessionNote({
    path: consoleSessionPath,
    formToken,
    words: englishFrame.session,
    here,
    signIn: html`<a role="button" href="${signIn}" target="_blank" rel="noopener">Sign in, in a new tab</a>`
  })

/** A page that is named after the company names it once. */
const titleOf = (frame: ConsoleFrame | null, heading: string): string =>
  [...new Set([heading, frame?.companyName ?? "", "Journeys"])].filter((part) => part !== "").join(" · ")

const flashHtml = ({ link, sentence }: Flash): Html =>
  html`<p class="flash" role="status">
    ${sentence}${link !== undefined && html` <a href="${link.path}">${link.words}</a>`}
  </p>`

const bareHeader = html`<header class="top">
  <p class="name"><a href="${consolePath}">Journeys</a></p>
</header>`

const header = ({ asker, companyName, formToken }: ConsoleFrame): Html =>
  html`<header class="top">
    <p class="name">
      <a href="${consolePath}">Journeys</a>${companyName !== null && html` <bdi class="company">${companyName}</bdi>`}
    </p>
    <div class="who">
      <span
        >${
          asker._tag === "Operator"
            ? "Operator"
            : html`<bdi>${asker.email}</bdi> <small>${asker.role === "OWNER" ? "owner" : "team"}</small>`
        }</span
      >
      ${
        asker._tag === "Operator" &&
        companyName !== null &&
        html`<form method="post" action="${leaveCompanyPath}">
          ${tokenField(formToken)}<button class="secondary outline">Leave this company</button>
        </form>`
      }
      <form method="post" action="${consoleSignOutPath}">
        ${tokenField(formToken)}<button class="secondary outline">Sign out</button>
      </form>
    </div>
  </header>`

/** What the pages are for, and what else a company's people ask. */
const help = html`<ul aria-label="Help">
  <li><a href="/docs/guides/team">Help</a></li>
</ul>`

const navigation = (frame: ConsoleFrame): Html => {
  const isAtCompany = frame.companyName !== null
  const all = navigationOf(frame.asker, isAtCompany)
  const current = sectionOf(frame.path, all)
  return html`<nav aria-label="Console" class="sections">
    ${group(all.company, current, "Company")} ${group(all.installation, current, "Installation")} ${isAtCompany && help}
  </nav>`
}

const group = (sections: Navigation["company"], current: string | undefined, label: string): Shown =>
  sections.length > 0 &&
  html`<ul aria-label="${label}">
    ${sections.map(
      ({ label: name, path }) =>
        html`<li><a href="${path}" ${path === current && html`aria-current="page"`}>${name}</a></li>`
    )}
  </ul>`

/** A page of the console. `frame` is null for whoever is not signed in. */
export const consoleResponse = (frame: ConsoleFrame | null, page: ConsoleContent): Response =>
  HttpServerResponse.text(document(frame, page).text, {
    status: page.status ?? pageStatus.shown,
    contentType: "text/html; charset=utf-8",
    headers: { ...page.headers, ...consoleHeaders, "content-security-policy": policyWith(page.alsoAllowed) }
  })

/** Sends the browser to another page. After a form, a reload of that page sends nothing again. */
export const seeOther = (location: string): Response =>
  HttpServerResponse.empty({ status: pageStatus.seeOther, headers: { ...consoleHeaders, location } })
