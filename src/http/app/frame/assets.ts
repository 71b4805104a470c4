/**
 * The style sheet, the scripts, the icon and the light face detector of the customer's app. The files are read once
 * and served under names that contain their hash (`hashedAssets.ts`).
 */
import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import type { Route } from "../../server/answers/answering.ts"
import { assetRoute, hashedAsset, type Asset } from "../../server/pages/hashedAssets.ts"

const hashed = (name: string, type: string, contentType: string, body: Uint8Array): Asset =>
  hashedAsset("/app/assets", { name, type, contentType }, body)

const browserFile = (name: string, type: string): string =>
  readFileSync(new URL(`../browser/${name}.${type}`, import.meta.url), "utf8")

/** One asset made of one or more files, in their order. */
const asset = (name: string, type: "css" | "svg", contentType: string, files: ReadonlyArray<string> = [name]): Asset =>
  hashed(name, type, contentType, Buffer.from(files.map((file) => browserFile(file, type)).join("\n")))

const scripts = new Map<string, Asset>()

/** A script with the scripts that it imports. Each import names the hashed path, so that every script has an address of its own. */
const script = (name: string): Asset => {
  const known = scripts.get(name)
  if (known !== undefined) return known
  const text = browserFile(name, "js").replaceAll(
    /"\.\/(\w+)\.js"/g,
    (_, imported: string) => `"${script(imported).path}"`
  )
  const made = hashed(name, "js", "text/javascript; charset=utf-8", Buffer.from(text))
  scripts.set(name, made)
  return made
}

/** The light face detector of the camera's page: a list of its weights, and the weights, as their package ships them. */
const faceFinderFile = (name: string, type: "json" | "bin", file: string, contentType: string): Asset =>
  hashed(
    name,
    type,
    contentType,
    readFileSync(createRequire(import.meta.url).resolve(`@vladmandic/face-api/model/tiny_face_detector_model${file}`))
  )

const style = asset("app", "css", "text/css; charset=utf-8", [
  "colours",
  "page",
  "journey",
  "controls",
  "video",
  "end",
  "capture"
])
const answered = script("answered")
const video = script("video")
const photos = script("photos")
const progress = script("progress")
const session = script("session")
const icon = asset("icon", "svg", "image/svg+xml")

const homeStyle = asset("home", "css", "text/css; charset=utf-8")

export const homeStylePath = homeStyle.path
export const stylePath = style.path
/** The script of every page. */
export const answeredScriptPath = answered.path
export const videoScriptPath = video.path
export const iconPath = icon.path
export const progressScriptPath = progress.path
/** The script of every page of a signed-in customer. */
export const sessionScriptPath = session.path
export const photosScriptPath = photos.path

const finder = {
  list: faceFinderFile("faces", "json", "-weights_manifest.json", "application/json"),
  weights: faceFinderFile("faces", "bin", ".bin", "application/octet-stream")
}
export const faceFinderPaths = { list: finder.list.path, weights: finder.weights.path }

export const assetRoutes: ReadonlyArray<Route<never>> = [
  style,
  homeStyle,
  icon,
  finder.list,
  finder.weights,
  ...scripts.values()
].map(assetRoute)
