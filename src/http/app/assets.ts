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

/** One asset made of one or more files, in their order. */
const asset = (
  name: string,
  type: "css" | "js" | "svg",
  contentType: string,
  files: ReadonlyArray<string> = [name]
) => {
  const body = files.map((file) => readFileSync(new URL(`browser/${file}.${type}`, import.meta.url), "utf8")).join("\n")
  const path =
    `/app/assets/${name}.${hash("sha256", body, "base64url").slice(0, appLimits.assetHashLength)}.${type}` as const
  return { path, body, contentType }
}

const style = asset("app", "css", "text/css; charset=utf-8", ["colours", "page", "journey", "controls", "video"])
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
