/**
 * Marks that are planted in personal data, and the search for them in whatever a service leaves behind: in plain form,
 * and in every form in which a text or a photo travels. Each mark occurs nowhere else. Not a test itself.
 */
import { createHash } from "node:crypto"

/** The members of a start that are kept and shown in the open, each with the decision behind it. */
export const inTheOpen: Readonly<Record<string, string>> = {
  externalReference: "the caller's own deal id, a list filter and a field of every event (§2.2, §6.2)",
  inventoryVehicleId: "the id of a vehicle in the company's stock, which the team sees (H8)",
  panelName: "echoed to the caller, to find its application again (R3)",
  panelReference: "echoed to the caller, to find its application again (R3)",
  lender: "echoed to the caller (R3) and seen by the team (F7)"
}

/** Codes and times have no room for a mark. */
const unmarkable = new Set(
  "type saleType panelSubmission source method given title maritalStatus drivingLicenceType employmentType employmentStatus addressType residentialStatus capturedAt".split(
    " "
  )
)

const amounts = new Set(["vehiclePrice", "depositAmount", "monthlyBudget", "monthlyIncome"])

interface Form {
  readonly text: string
  readonly isCaseless: boolean
}

/**
 * The base64 of bytes inside other bytes has three forms, by the number of bytes before them. The characters that
 * depend on the neighbours are left out.
 */
const base64Of = (bytes: Uint8Array): ReadonlyArray<string> =>
  [0, 1, 2].map((before) => {
    const text = Buffer.concat([Buffer.alloc(before), bytes]).toString("base64")
    return text.slice(Math.ceil((before * 8) / 6), Math.floor(((before + bytes.length) * 8) / 6))
  })

const urlSafe = (text: string) => text.replaceAll("+", "-").replaceAll("/", "_")

const formsOfBytes = (bytes: Uint8Array): ReadonlyArray<Form> => {
  const base64 = base64Of(bytes)
  return [
    { text: Buffer.from(bytes).toString("hex"), isCaseless: true },
    ...[...base64, ...base64.map(urlSafe)].map((text) => ({ text, isCaseless: false }))
  ]
}

const latin1 = (text: string) => Buffer.from(text).toString("latin1")
const escaped = (text: string) =>
  text.replaceAll(/[^ -~]/g, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`)

const formsOfText = (text: string): ReadonlyArray<Form> => {
  const written = [text, text.toLowerCase()].flatMap((one) => {
    const encoded = encodeURIComponent(one)
    return [latin1(one), escaped(one), encoded, encoded.replaceAll("%20", "+")]
  })
  return [...written.map((one) => ({ text: one, isCaseless: true })), ...formsOfBytes(Buffer.from(text))]
}

/** A hash without a key can be found by trying, so it does not hide what people are called. */
const hashesOf = (text: string): ReadonlyArray<Form> =>
  [text, text.toLowerCase()].map((one) => ({
    text: createHash("sha256").update(one).digest("hex"),
    isCaseless: true
  }))

export class Canaries {
  readonly #forms = new Map<string, ReadonlyArray<Form>>()
  readonly #open = new Set<string>()
  #serial = 100

  /** Everything that was planted. */
  get names(): ReadonlyArray<string> {
    return [...this.#forms.keys()]
  }

  plant(text: string): string {
    this.#forms.set(text, [...formsOfText(text), ...hashesOf(text)])
    return text
  }

  /** Texts that nobody can guess. Their hashes may show. */
  plantSecret(text: string): void {
    this.#forms.set(text, formsOfText(text))
  }

  /** Bytes without text. */
  plantBytes(name: string, bytes: Uint8Array): void {
    const raw = { text: Buffer.from(bytes).toString("latin1"), isCaseless: false }
    this.#forms.set(name, [raw, ...formsOfBytes(bytes)])
  }

  /**
   * A body in which every personal text and amount is a mark. Members that may be in the open have marks of another
   * kind.
   */
  plantIn(value: unknown, name = ""): unknown {
    if (Array.isArray(value)) return value.map((one) => this.plantIn(one, name))
    if (typeof value === "object" && value !== null) {
      return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, this.plantIn(one, key)]))
    }
    if (unmarkable.has(name)) return value
    if (typeof value === "number") return amounts.has(name) ? Number(this.plant(`${this.#next() + 20_000}.37`)) : value
    return typeof value === "string" ? this.#textFor(name) : value
  }

  /** The marks that show in these bytes, in any form. */
  foundIn(bytes: Uint8Array | string): ReadonlyArray<string> {
    const text = (typeof bytes === "string" ? Buffer.from(bytes) : Buffer.from(bytes)).toString("latin1")
    const lower = text.toLowerCase()
    return this.names.filter((name) =>
      this.#forms
        .get(name)
        ?.some((form) => (form.isCaseless ? lower.includes(form.text.toLowerCase()) : text.includes(form.text)))
    )
  }

  /** The names of `inTheOpen` whose text shows in these bytes. */
  openIn(text: string): ReadonlyArray<string> {
    return [...this.#open].filter((one) => text.includes(one)).map((one) => one.split("-")[0] ?? "")
  }

  #next(): number {
    return (this.#serial += 1)
  }

  #textFor(name: string): string {
    const serial = this.#next()
    if (name in inTheOpen) {
      const text = `${name}-${serial}`
      this.#open.add(text)
      return text
    }
    switch (name) {
      case "email":
        return this.plant(`Canary${serial}@canary.example.com`)
      case "mobile":
        return this.plant(`+44 7700 9${serial}77`)
      case "dateOfBirth":
        return this.plant(`1971-03-${10 + (serial % 18)}`)
      case "postcode":
        return this.plant(`ZE${serial} 0ZZ`)
      default:
        return this.plant(`Zoë Canary${serial}`)
    }
  }
}
