/** What the pages of guides make of a guide's text. */
import { expect, it } from "vitest"
import { commandsAt } from "../../../src/http/guides/guidePages.ts"
import { html } from "../../../src/http/server/pages/html.ts"

it("name the address of the service in each command, whatever signs the address has", () => {
  const commands = html`<code>curl http://127.0.0.1:3000/docs</code>`
  expect(commandsAt("https://journeys.example", commands).text).toBe("<code>curl https://journeys.example/docs</code>")
  expect(commandsAt("http://$&.example", commands).text).toBe("<code>curl http://$&amp;.example/docs</code>")
})
