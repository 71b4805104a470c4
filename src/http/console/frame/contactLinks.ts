/** How people are reached from a page, by the program that the reader has for it. */
import { html, type Html } from "../../server/pages/html.ts"

export const telephoneLink = (number: string): Html =>
  html`<a href="tel:${number.replaceAll(/[^+\d]/g, "")}"><bdi>${number}</bdi></a>`

export const mailLink = (address: string): Html =>
  html`<a href="mailto:${encodeURIComponent(address)}"><bdi>${address}</bdi></a>`
