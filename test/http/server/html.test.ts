/** The template for HTML: what it escapes and what it leaves alone. */
import { describe, expect, it } from "vitest"
import { html } from "../../../src/http/server/pages/html.ts"

describe("the template", () => {
  it("escapes every text, in elements and in quoted attributes", () => {
    const name = `<script>"&'</script>`
    expect(html`<p title="${name}">${name}</p>`.text).toBe(
      `<p title="&lt;script&gt;&quot;&amp;&#39;&lt;/script&gt;">&lt;script&gt;&quot;&amp;&#39;&lt;/script&gt;</p>`
    )
  })

  it("escapes nothing twice, and shows lists in their order and nothing of null and false", () => {
    const items = ["a", "<b>"].map((item) => html`<li>${item}</li>`)
    expect(html`${items}${null}${false}${0}`.text).toBe("<li>a</li><li>&lt;b&gt;</li>0")
  })
})
