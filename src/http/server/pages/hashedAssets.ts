/**
 * Files that browsers keep: style sheets, scripts, pictures. Each is served under a name that contains its hash, so that a browser
 * keeps the file for ever and a new version has another name. The pages that use the files say which files there are.
 */
import { Duration, Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import { hash } from "node:crypto"
import { constants, gzipSync } from "node:zlib"
import type { Route } from "../answers/answering.ts"
import { httpLimits } from "../limits.ts"
import { packingFor } from "./packingFor.ts"

export interface Asset {
  readonly path: `/${string}`
  readonly body: Uint8Array
  readonly contentType: string
}

/** `folder` is the path below which the file is served, such as `/app/assets`. */
export const hashedAsset = (
  folder: `/${string}`,
  file: { readonly name: string; readonly type: string; readonly contentType: string },
  body: Uint8Array
): Asset => ({
  path: `${folder}/${file.name}.${hash("sha256", body, "base64url").slice(0, httpLimits.assetHashLength)}.${file.type}`,
  body,
  contentType: file.contentType
})

/** Of a file whose name changes with what is in it. */
export const keptForEver = {
  "cache-control": `public, max-age=${Duration.toSeconds(httpLimits.assetsKeptFor)}, immutable`,
  "cross-origin-resource-policy": "same-origin",
  "x-content-type-options": "nosniff"
} as const

/** Browsers that take it get the file compressed; it is compressed once. */
export const assetRoute = ({ body, contentType, path }: Asset): Route<never> => {
  const compressed = gzipSync(body, { level: constants.Z_BEST_COMPRESSION })
  const headers = { ...keptForEver, vary: "accept-encoding" }
  return {
    method: "GET",
    path,
    handle: (request) =>
      Effect.succeed(
        packingFor(request, ["gzip"]) === undefined
          ? HttpServerResponse.uint8Array(body, { contentType, headers })
          : HttpServerResponse.uint8Array(compressed, {
              contentType,
              headers: { ...headers, "content-encoding": "gzip" }
            })
      )
  }
}
