/** Sentences of the catalogue with markup in them. */
import { expect, it } from "vitest"
import { html } from "../../../src/http/server/pages/html.ts"
import { inSentence, nameMark, scriptWords } from "../../../src/http/app/frame/sentence.ts"

const sold = ({ seller, vehicle }: { readonly seller: string; readonly vehicle: string }) =>
  `<${vehicle}> by ${seller} & ${seller}`

it("shows markup where the sentence has its arguments, in its order and as often, and escapes the sentence itself", () => {
  expect(inSentence(sold, { seller: nameMark("<Sons>"), vehicle: html`<b>7</b>` }).text).toBe(
    '&lt;<b>7</b>&gt; by <bdi translate="no">&lt;Sons&gt;</bdi> &amp; <bdi translate="no">&lt;Sons&gt;</bdi>'
  )
})

const recorded = ({ longest, seconds }: { readonly longest: string; readonly seconds: string }) =>
  `${seconds} of ${longest} seconds`

it("gives a script its sentences with the names of the facts that it fills in", () => {
  expect(JSON.parse(scriptWords({ wait: "Wait", recorded }))).toEqual({
    wait: "Wait",
    recorded: "{seconds} of {longest} seconds"
  })
})
