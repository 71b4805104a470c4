/** The files that browsers keep: how they are packed on their way. */
import { Effect } from "effect"
import { HttpServerRequest } from "effect/http"
import { expect, it } from "vitest"
import { assetRoute, hashedAsset } from "../../../src/http/server/pages/hashedAssets.ts"

const sheet = hashedAsset(
  "/app/assets",
  { name: "page", type: "css", contentType: "text/css; charset=utf-8" },
  new TextEncoder().encode("main { color: black }")
)

const answerTo = (accepted: string | null) => {
  const headers = accepted === null ? {} : { "accept-encoding": accepted }
  const request = HttpServerRequest.fromWeb(new Request(`http://localhost${sheet.path}`, { headers }))
  return Effect.runPromise(assetRoute(sheet).handle(request))
}

const packingOf = async (accepted: string | null) => (await answerTo(accepted)).headers["content-encoding"]

it("packs a file for whoever can unpack it", async () => {
  for (const accepted of ["gzip", "br, gzip", "deflate, GZIP;q=0.5"]) expect(await packingOf(accepted)).toBe("gzip")
})

it("leaves a file as it is for whoever cannot unpack it, or refuses that", async () => {
  for (const accepted of [null, "", "br", "identity", "gzip;q=0", "br, gzip; q=0.000"]) {
    expect([accepted, await packingOf(accepted)]).toEqual([accepted, undefined])
  }
})

it("tells caches that a file is packed for some and not for others", async () => {
  for (const accepted of ["gzip", null]) {
    expect((await answerTo(accepted)).headers).toMatchObject({ vary: "accept-encoding" })
  }
})
