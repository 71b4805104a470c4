/** The style of the guides: Pico as its package ships it, and our own sheet. There is no script, and nothing comes from elsewhere. */
import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import type { Route } from "../server/answers/answering.ts"
import { assetRoute, hashedAsset } from "../server/pages/hashedAssets.ts"

const style = (name: string, file: string | URL) =>
  hashedAsset("/docs/assets", { name, type: "css", contentType: "text/css; charset=utf-8" }, readFileSync(file))

const styles = [
  style("pico", createRequire(import.meta.url).resolve("@picocss/pico/css/pico.min.css")),
  style("guides", new URL("browser/guides.css", import.meta.url))
]

export const guideStylePaths = styles.map(({ path }) => path)
export const guideAssetRoutes: ReadonlyArray<Route<never>> = styles.map(assetRoute)
