/** Ids for examples: well-formed, invented and the same every time. `kind` keeps the ids of different things apart. */
const kinds = {
  journey: 1,
  company: 2,
  customer: 3,
  event: 4,
  endpoint: 5,
  apiKey: 6,
  change: 7,
  ledgerEntry: 8,
  mail: 9,
  resend: 10
}

export const exampleId = (kind: keyof typeof kinds, number: number): string =>
  `019bc0a1-7c00-7${kinds[kind].toString().padStart(3, "0")}-8000-${number.toString(16).padStart(12, "0")}`
