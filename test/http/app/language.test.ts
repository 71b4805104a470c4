/** The choice of a language: it leads back to a page, whatever the request was for which the choice was shown. */
import { expect, it } from "vitest"
import { appRoutes } from "../../../src/http/app/appRoutes.ts"
import { visitorFrame } from "../../../src/http/app/frame/language.ts"

const pathsOf = (asked: string) => appRoutes.flatMap(({ method, path }) => (method === asked ? [path] : []))
const pages = pathsOf("GET")

/** Forms of people: scripts ask below `-uploads` and for turns, and the page of a new link says itself where it leads. */
const forms = pathsOf("POST").filter((path) => !/-uploads|challenge|new-link$/.test(path))

it.each(forms)("leads from a form that is sent to %s back to a page that a browser can open", (path) => {
  expect(pages).toContain(visitorFrame({ url: `${path}?a=b`, headers: {} }).back)
})
