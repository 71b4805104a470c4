/** Durations in words for the documents: a whole number of the largest unit that fits. A single day is said in hours. */

const units = [
  { name: "day", millis: 86_400_000, from: 2 },
  { name: "hour", millis: 3_600_000, from: 1 },
  { name: "minute", millis: 60_000, from: 1 },
  { name: "second", millis: 1000, from: 1 }
] as const

/** 60000 is "1 minute", 86400000 "24 hours". */
export const inWords = (millis: number): string => {
  const unit = units.find((one) => millis % one.millis === 0 && millis / one.millis >= one.from)
  if (unit === undefined) return `${millis} milliseconds`
  const count = millis / unit.millis
  return `${count} ${unit.name}${count === 1 ? "" : "s"}`
}
