/**
 * A company's colour made readable: darkened for light pages and lightened for dark ones until text in it has a contrast of
 * 4.5 to 1 (WCAG 2.2, 1.4.3) on every ground of the pages, and black or white for the text on it. Pure. Pages and mails
 * show the colours that come out; the colours of everything else are the style sheet's.
 */
import { companyLimits } from "./limits.ts"

type Rgb = readonly [red: number, green: number, blue: number]

/** A colour as text, and the colour of the text on it. Both are `#rrggbb`. */
export interface Accent {
  readonly accent: string
  readonly onAccent: "#000000" | "#ffffff"
}

export interface BrandColours {
  readonly light: Accent
  readonly dark: Accent
}

/** The grounds on which a brand's colour stands as text: page, card and tint of the app's style sheet, and those of mail. */
export const brandGrounds = {
  light: ["#f3f5f8", "#ffffff", "#e6eef9"],
  dark: ["#10151b", "#1a222b", "#1c2c44"]
} as const

/** Where a company has no colour of its own. */
export const usualColour = "#1a56ab"

const black: Rgb = [0, 0, 0]
const white: Rgb = [255, 255, 255]

export const brandColours = (colour: string): BrandColours => ({
  light: readable(rgbOf(colour), black, brandGrounds.light.map(rgbOf)),
  dark: readable(rgbOf(colour), white, brandGrounds.dark.map(rgbOf))
})

/** Mixes in as little of black or white as it takes. All of it always suffices. */
const readable = (colour: Rgb, towards: Rgb, grounds: ReadonlyArray<Rgb>): Accent => {
  const { leastContrast, shadesOfAColour } = companyLimits
  let shade = colour
  for (let step = 1; step <= shadesOfAColour; step += 1) {
    if (grounds.every((ground) => contrast(shade, ground) >= leastContrast)) break
    shade = mixed(colour, towards, step / shadesOfAColour)
  }
  return { accent: hexOf(shade), onAccent: contrast(shade, white) >= contrast(shade, black) ? "#ffffff" : "#000000" }
}

const mixed = ([red, green, blue]: Rgb, [toRed, toGreen, toBlue]: Rgb, share: number): Rgb => {
  const between = (from: number, to: number) => Math.round(from + (to - from) * share)
  return [between(red, toRed), between(green, toGreen), between(blue, toBlue)]
}

const rgbOf = (colour: string): Rgb => [partAt(colour, 1), partAt(colour, 3), partAt(colour, 5)]
const partAt = (colour: string, at: number): number => Number.parseInt(colour.slice(at, at + 2), 16)
const hexOf = (colour: Rgb): string => `#${colour.map((part) => part.toString(16).padStart(2, "0")).join("")}`

const contrast = (one: Rgb, other: Rgb): number => {
  const [a, b] = [luminance(one), luminance(other)]
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)
}

/** WCAG 2.2, "relative luminance". */
const luminance = ([red, green, blue]: Rgb): number =>
  0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)

const linear = (part: number): number => {
  const share = part / 255
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
}
