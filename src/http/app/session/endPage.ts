/**
 * The end of a journey whose handover is complete, for its signed-in customer: the receipt, a file of it to keep, and whom to
 * ask. The file is HTML without scripts, so that it keeps the letters of every language and prints as it looks. What others
 * see who only hold a link is in `noticePages.ts`.
 */
import { HttpServerResponse } from "effect/http"
import { companyContact, returnButton } from "../frame/companyFace.ts"
import { html, type Html } from "../../server/pages/html.ts"
import { pageHeaders, pageResponse, type Frame } from "../frame/page.ts"
import { dataNote, receiptList, type CompleteHandover } from "../frame/receipt.ts"

type Response = HttpServerResponse.HttpServerResponse

export const receiptPath = "/app/receipt"

export const endPage = (frame: Frame, handover: CompleteHandover): Response => {
  const { company, words } = frame
  const { ending } = words
  return pageResponse({
    ...frame,
    heading: ending.heading,
    saysWhomToAsk: true,
    content: html`<p>${ending.taken}</p>
      <section class="card" aria-labelledby="receipt">
        <h2 id="receipt">${ending.receipt}</h2>
        ${receiptList(handover, words)}
      </section>
      <p class="after-card"><a class="button" href="${receiptPath}" download>${ending.save}</a></p>
      <p class="hint no-print">${ending.print}</p>
      ${
        company == null
          ? null
          : html`<h2>${words.company.questions}</h2>
              ${companyContact(company, words)}${returnButton(company, words)}`
      }
      ${dataNote(handover.details, words)}`
  })
}

/** The receipt as a file. A browser saves it and never shows it as a page of this site. */
export const receiptFile = (frame: Frame, handover: CompleteHandover): Response =>
  HttpServerResponse.text(receiptDocument(frame, handover).text, {
    contentType: "text/html; charset=utf-8",
    headers: { ...pageHeaders, "content-disposition": 'attachment; filename="receipt.html"' }
  })

const receiptDocument = ({ company, isTest, words }: Frame, handover: CompleteHandover): Html => {
  const { about, ending, frame } = words
  return html`<!doctype html>
    <html lang="${about.locale}" dir="${about.direction}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${ending.receipt}</title>
        <style>
          ${fileStyle}
        </style>
      </head>
      <body>
        <h1>${ending.receipt}</h1>
        ${isTest === true && html`<p><strong>${frame.testMark}</strong> ${frame.testNote}</p>`}${receiptList(
          handover,
          words
        )}
        ${company == null ? null : companyContact(company, words)}
      </body>
    </html> `
}

/** The file has no other file beside it. */
const fileStyle = html`body { max-width: 36rem; margin: 2rem auto; padding: 0 1rem; font: 100%/1.5 system-ui,
sans-serif; } dt { font-weight: 700; } dd { margin: 0 0 0.75rem; } .hours { white-space: pre-line; }`
