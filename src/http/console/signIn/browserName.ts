/** The name of a browser for the list of sessions: which one, on what. Browsers claim to be each other, so the order matters. */

const browsers: ReadonlyArray<readonly [RegExp, string]> = [
  [/\bEdg(?:e|A|iOS)?\//, "Edge"],
  [/\bOPR\/|\bOpera\b/, "Opera"],
  [/\bSamsungBrowser\//, "Samsung Internet"],
  [/\bFirefox\/|\bFxiOS\//, "Firefox"],
  [/\bChrome\/|\bCriOS\/|\bChromium\/|\bHeadlessChrome\//, "Chrome"],
  [/\bSafari\//, "Safari"]
]

const systems: ReadonlyArray<readonly [RegExp, string]> = [
  [/\biPhone\b/, "iPhone"],
  [/\biPad\b/, "iPad"],
  [/\bAndroid\b/, "Android"],
  [/\bWindows\b/, "Windows"],
  [/\bMacintosh\b|\bMac OS X\b/, "macOS"],
  [/\bCrOS\b/, "ChromeOS"],
  [/\bLinux\b/, "Linux"]
]

const firstOf = (names: ReadonlyArray<readonly [RegExp, string]>, text: string): string | undefined =>
  names.find(([pattern]) => pattern.test(text))?.[1]

/** Null: the browser says nothing that we know. No other part of what it says is kept. */
export const browserName = (userAgent: string | undefined): string | null => {
  if (userAgent === undefined) return null
  const browser = firstOf(browsers, userAgent)
  const system = firstOf(systems, userAgent)
  if (browser === undefined) return system ?? null
  return system === undefined ? browser : `${browser} on ${system}`
}
