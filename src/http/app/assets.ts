/**
 * The style sheet, the scripts and the icon of the customer's app. The files are read once and served under names that
 * contain their hash: a browser keeps a file for ever, and a new version has another name.
 */
import { Duration, Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import { hash } from "node:crypto"
import { readFileSync } from "node:fs"
import type { Route } from "../server/answering.ts"
import { appLimits } from "./limits.ts"

const asset = (name: string, type: "css" | "js" | "svg", contentType: string) => {
  const body = readFileSync(new URL(`browser/${name}.${type}`, import.meta.url), "utf8")
  const path =
    `/app/assets/${name}.${hash("sha256", body, "base64url").slice(0, appLimits.assetHashLength)}.${type}` as const
  return { path, body, contentType }
}

const style = asset("app", "css", "text/css; charset=utf-8")
const script = asset("video", "js", "text/javascript; charset=utf-8")
const photos = asset("photos", "js", "text/javascript; charset=utf-8")
const icon = asset("icon", "svg", "image/svg+xml")

export const stylePath = style.path
export const videoScriptPath = script.path
export const iconPath = icon.path
export const photosScriptPath = photos.path

export const assetRoutes: ReadonlyArray<Route<never>> = [style, script, photos, icon].map(
  ({ body, contentType, path }) => ({
    method: "GET",
    path,
    handle: () =>
      Effect.succeed(
        HttpServerResponse.text(body, {
          contentType,
          headers: {
            "cache-control": `public, max-age=${Duration.toSeconds(appLimits.assetsKeptFor)}, immutable`,
            "cross-origin-resource-policy": "same-origin"
          }
        })
      )
  })
)
