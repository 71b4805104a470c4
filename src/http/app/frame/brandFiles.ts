/**
 * What a page loads of a company's brand: its logo under the digest of the image, and a style sheet under its colour. The
 * names say what is inside, so a browser keeps both for ever. The style sheet is made of its name alone; neither file knows
 * anything of a customer, and both are there for pages that nobody has signed in to.
 */
import { Effect } from "effect"
import { HttpServerResponse, type HttpServerRequest } from "effect/http"
import { hash } from "node:crypto"
import { Logos } from "../../../actors/company/Logos.ts"
import { brandColours, type Accent } from "../../../schema/company/brandColours.ts"
import { keptForEver } from "../../server/pages/hashedAssets.ts"
import { problem } from "../../server/answers/problems.ts"
import { appRoute } from "./appRoute.ts"
import { httpLimits } from "../../server/limits.ts"
import { pathPart } from "../../server/answers/pathPart.ts"

export const logoPath = (digest: string) => `/app/logo/${digest}` as const
const sheetPath = (name: string) => `/app/brand/${name}` as const

const rules = ({ accent, onAccent }: Accent): string => `:root { --accent: ${accent}; --on-accent: ${onAccent}; }`

const sheetOf = (colour: string): string => {
  const { dark, light } = brandColours(colour)
  return `${rules(light)}\n@media (prefers-color-scheme: dark) {\n  ${rules(dark)}\n}\n`
}

/** The hash in the name changes when the way in which colours are made readable changes. */
export const brandSheetPath = (colour: string): string => {
  const sheet = sheetOf(colour)
  return sheetPath(
    `${colour.slice(1).toLowerCase()}.${hash("sha256", sheet, "base64url").slice(0, httpLimits.assetHashLength)}.css`
  )
}

const notThere = Effect.fail(problem("NOT_FOUND", "path"))

const showLogo = Effect.fnUntraced(function* (_request: HttpServerRequest.HttpServerRequest) {
  const digest = yield* pathPart("digest")
  const logos = yield* Logos
  const logo = /^[0-9a-f]{64}$/.test(digest) ? yield* logos.find(digest) : null
  if (logo === null) return yield* notThere
  return HttpServerResponse.uint8Array(logo.bytes, { contentType: logo.type, headers: keptForEver })
})

const showSheet = Effect.fnUntraced(function* (_request: HttpServerRequest.HttpServerRequest) {
  const colour = /^([0-9a-f]{6})\.[A-Za-z0-9_-]+\.css$/.exec(yield* pathPart("sheet"))?.[1]
  if (colour === undefined) return yield* notThere
  return HttpServerResponse.text(sheetOf(`#${colour}`), {
    contentType: "text/css; charset=utf-8",
    headers: keptForEver
  })
})

export const brandFileRoutes = [
  appRoute("GET", logoPath(":digest"), showLogo),
  appRoute("GET", sheetPath(":sheet"), showSheet)
] as const
