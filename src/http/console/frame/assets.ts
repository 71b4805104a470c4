/**
 * The style sheets and scripts of the console: Pico and htmx as their packages ship them, and our own. Nothing is loaded from
 * elsewhere. A page names the script that it needs; a new script is a file in `browser` and a line here.
 */
import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { pathToFileURL } from "node:url"
import type { Route } from "../../server/answers/answering.ts"
import { assetRoute, hashedAsset, type Asset } from "../../server/pages/hashedAssets.ts"

const folder = "/console/assets"
const css = "text/css; charset=utf-8"
const javascript = "text/javascript; charset=utf-8"

const ofPackage = createRequire(import.meta.url).resolve

const packaged = (name: string, type: "css" | "js", file: string): Asset =>
  hashedAsset(folder, { name, type, contentType: type === "css" ? css : javascript }, readFileSync(ofPackage(file)))

const own = (name: string, type: "css" | "js"): Asset =>
  hashedAsset(
    folder,
    { name, type, contentType: type === "css" ? css : javascript },
    readFileSync(new URL(`../browser/${name}.${type}`, import.meta.url))
  )

const pico = packaged("pico", "css", "@picocss/pico/css/pico.min.css")
const style = own("console", "css")
const journeySteps = own("journeySteps", "css")
const webhookStyle = own("webhooks", "css")
const reviewStyle = own("reviews", "css")
const reviewKeys = own("reviewKeys", "js")
const readyReasons = own("readyReasons", "js")
const pictures = own("pictures", "js")
const copy = own("copy", "js")
const unsaved = own("unsaved", "js")
const renew = own("renew", "js")
const htmx = packaged("htmx", "js", "htmx.org/dist/htmx.min.js")
const serverSentEvents = packaged("hx-sse", "js", "htmx.org/dist/ext/hx-sse.min.js")

export const consoleStylePaths = [pico.path, style.path, journeySteps.path, webhookStyle.path, reviewStyle.path]
export const copyScriptPath = copy.path
/** The library's bundle leaves out the folder that its package exports. */
const webauthnBundle = new URL("../dist/bundle/index.umd.min.js", pathToFileURL(ofPackage("@simplewebauthn/browser")))
const webauthn = hashedAsset(
  folder,
  { name: "webauthn", type: "js", contentType: javascript },
  readFileSync(webauthnBundle)
)
const passkey = own("passkey", "js")

/** In this order: the page's script needs the library. */
export const passkeyScriptPaths = [webauthn.path, passkey.path]
/** Of the pages of reviews. */
export const reviewKeysPath = reviewKeys.path
/** Of the page of a review: reasons that are chosen. */
export const readyReasonsPath = readyReasons.path
/** Of the pages that show photos and frames. */
export const picturesPath = pictures.path
/** Of the pages of several forms. */
export const unsavedPath = unsaved.path
/** Of the pages with a part that is fetched again. */
export const renewPath = renew.path
export const htmxPaths = [htmx.path, serverSentEvents.path]

export const consoleAssetRoutes: ReadonlyArray<Route<never>> = [
  pico,
  style,
  journeySteps,
  webhookStyle,
  copy,
  unsaved,
  renew,
  reviewStyle,
  reviewKeys,
  readyReasons,
  pictures,
  htmx,
  serverSentEvents,
  webauthn,
  passkey
].map(assetRoute)
