/**
 * How a language writes numbers, dates and times. Times are those of the company's time zone, which is the United Kingdom's
 * for every company. A registration plate, a name and an id are written as they are, in every language.
 */

export interface Formats {
  readonly number: (value: number) => string
  readonly megabytes: (value: number) => string
  /** 22 November 2026 */
  readonly date: (millis: number) => string
  /** 11:05 */
  readonly time: (millis: number) => string
  /** Sunday, 22 November 2026 at 11:05: the one way in which customers read a time, on pages and in mails. */
  readonly moment: (millis: number) => string
}

const timeZone = "Europe/London"

const clock = new Intl.DateTimeFormat("en-GB", { timeStyle: "short", timeZone })

/** The clock that customers read, for whoever reads UTC: 14:05. */
export const customersClock = { place: "London", time: (millis: number): string => clock.format(millis) } as const

export const formatsOf = (locale: string): Formats => {
  const number = new Intl.NumberFormat(locale)
  const megabytes = new Intl.NumberFormat(locale, { style: "unit", unit: "megabyte", maximumFractionDigits: 1 })
  const date = new Intl.DateTimeFormat(locale, { dateStyle: "long", timeZone })
  const time = new Intl.DateTimeFormat(locale, { timeStyle: "short", timeZone })
  const moment = new Intl.DateTimeFormat(locale, { dateStyle: "full", timeStyle: "short", timeZone })
  return {
    number: (value) => number.format(value),
    megabytes: (value) => megabytes.format(value),
    date: (millis) => date.format(millis),
    time: (millis) => time.format(millis),
    moment: (millis) => moment.format(millis)
  }
}
