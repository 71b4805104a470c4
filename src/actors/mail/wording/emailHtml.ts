/**
 * The HTML part of an email: one card in the colour of the company, in light and in dark, made for telephones. Tables and
 * styles on each element are what mail programs of every age understand; the style sheet in the head only turns the
 * colours where a program knows dark mode. Everything is escaped, and nothing is loaded from elsewhere.
 */
import { brandColours, brandGrounds, usualColour, type BrandColours } from "../../../schema/company/brandColours.ts"
import { escapedHtml } from "../../../schema/escapedHtml.ts"
import { languages, usualLanguage } from "../../../schema/words/locale/languages.ts"
import type { Email, EmailButton, EmailLink, Paragraph } from "./Email.ts"

const usualColours = brandColours(usualColour)

const [lightGround, lightCard] = brandGrounds.light
const [darkGround, darkCard] = brandGrounds.dark
const light = { text: "#17202b", soft: "#4c5967" } as const
const dark = { text: "#eef2f6", soft: "#b0bcc8" } as const

const font = "font-family:system-ui,-apple-system,'Segoe UI',Roboto,Arial,sans-serif"

export const emailHtml = ({ face, paragraphs, preview, smallPrint = [], subject }: Email): string => {
  const { direction, locale } = languages[face?.language ?? usualLanguage]
  const colours = face?.colour == null ? usualColours : brandColours(face.colour)
  return `<!doctype html>
<html lang="${locale}" dir="${direction}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<meta name="x-apple-disable-message-reformatting">
<title>${escapedHtml(subject)}</title>
<style>${darkStyle(colours)}</style>
</head>
<body class="ground" style="margin:0;padding:0;background:${lightGround}">
${preview === undefined ? "" : hidden(preview)}<table role="presentation" class="ground" width="100%" cellpadding="0" cellspacing="0" border="0" style="background:${lightGround}"><tr><td align="center" style="padding:16px 12px">
<table role="presentation" class="card" width="100%" cellpadding="0" cellspacing="0" border="0" style="max-width:560px;background:${lightCard};border-top:4px solid ${colours.light.accent};border-radius:10px"><tr><td class="text" style="padding:24px 20px;${font};font-size:16px;line-height:1.5;color:${light.text};overflow-wrap:anywhere;text-align:start">
${face === undefined ? "" : `<div style="margin:0 0 20px;font-size:18px;font-weight:700" translate="no">${escapedHtml(face.name)}</div>\n`}${paragraphs.map((paragraph) => shown(paragraph, colours)).join("\n")}
</td></tr>${smallPrint.length === 0 ? "" : printed(smallPrint)}
</table>
</td></tr></table>
</body>
</html>
`
}

const darkStyle = ({ dark: { accent, onAccent }, light: { accent: lightAccent } }: BrandColours): string =>
  [
    ":root{color-scheme:light dark;supported-color-schemes:light dark}",
    `a{color:${lightAccent}}`,
    "@media (prefers-color-scheme:dark){",
    `.ground{background:${darkGround}!important}`,
    `.card{background:${darkCard}!important;border-top-color:${accent}!important}`,
    `.text{color:${dark.text}!important}`,
    `.soft{color:${dark.soft}!important;border-color:#3a4653!important}`,
    `.link{color:${accent}!important}`,
    `.button{background:${accent}!important;color:${onAccent}!important}`,
    "}"
  ].join("")

/** Mail programs take the first words for the preview. What follows keeps the words of the mail out of it. */
const hidden = (preview: string): string =>
  `<div style="display:none;max-height:0;overflow:hidden;mso-hide:all" aria-hidden="true">${escapedHtml(preview)}${"&#847;&zwnj;&nbsp;".repeat(40)}</div>\n`

const paragraphOf = (content: string, style = "margin:0 0 16px"): string => `<p style="${style}">${content}</p>`

const shown = (paragraph: Paragraph, colours: BrandColours): string => {
  if (typeof paragraph === "string") return paragraphOf(lines(paragraph))
  return "button" in paragraph ? button(paragraph, colours) : link(paragraph, colours)
}

const lines = (text: string): string => escapedHtml(text).replaceAll("\n", "<br>")

const address = (url: string, { light: { accent } }: BrandColours): string => {
  const escaped = escapedHtml(url)
  return `<a class="link" href="${escaped}" style="color:${accent}">${escaped}</a>`
}

const link = ({ url, words }: EmailLink, colours: BrandColours): string =>
  paragraphOf(`${escapedHtml(words)} ${address(url, colours)}`)

const button = ({ button, instead, url }: EmailButton, colours: BrandColours): string => {
  const { accent, onAccent } = colours.light
  const look = `display:inline-block;padding:14px 24px;border-radius:10px;background:${accent};color:${onAccent};font-weight:600;text-decoration:none`
  return [
    paragraphOf(
      `<a class="button" href="${escapedHtml(url)}" style="${look}">${escapedHtml(button)}</a>`,
      "margin:8px 0 16px"
    ),
    `<p class="soft" style="margin:0 0 16px;font-size:14px;color:${light.soft}">${escapedHtml(instead)}<br>${address(url, colours)}</p>`
  ].join("\n")
}

const printed = (paragraphs: ReadonlyArray<string>): string =>
  `<tr><td class="soft" style="padding:16px 20px;border-top:1px solid #c3ccd6;${font};font-size:14px;line-height:1.5;color:${light.soft};overflow-wrap:anywhere;text-align:start">
${paragraphs.map((text) => paragraphOf(lines(text), "margin:0 0 10px")).join("\n")}
</td></tr>`
