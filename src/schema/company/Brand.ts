/**
 * A company's brand: how pages and mails show the company to its customers. A body brings the logo's bytes, the row keeps
 * the logo's digest, and answers show the digest. How the logo is cleaned and served, and how the colour is made readable,
 * is decided elsewhere.
 */
import { Effect, Schema } from "effect"
import { languageCodes, type Language } from "../words/locale/languages.ts"
import { imageHeader } from "../media/imageHeader.ts"
import { inColumn, ModelField, withExample } from "../model.ts"
import { linkProblem } from "../start/nameText.ts"
import { formattedText, multilineText } from "../decoding/text.ts"
import { companyLimits } from "./limits.ts"

const {
  largestLogoBytes,
  longestHours,
  longestLogoSidePixels,
  longestReturnUrl,
  longestTelephone,
  mostHoursLines,
  mostTelephoneDigits,
  leastTelephoneDigits
} = companyLimits

/** The logo as it is kept: cleaned, under the digest of its bytes. The app serves it under that digest. */
export const KeptLogo = Schema.Struct({
  digest: Schema.String.annotate({ description: "SHA-256 of the kept image; GET /app/logo/{digest} shows it" }),
  type: Schema.Literals(["image/png", "image/jpeg"]),
  width: Schema.Int,
  height: Schema.Int
}).annotate({ identifier: "Logo" })
export type KeptLogo = typeof KeptLogo.Type

/** A text in some of the languages that customers read. */
const inLanguages = <S extends Schema.Constraint>(text: S) =>
  Schema.Struct(
    Object.fromEntries(languageCodes.map((code) => [code, Schema.optionalKey(text)])) as Record<
      Language,
      Schema.optionalKey<S>
    >
  )

const parts = {
  logo: Schema.NullOr(KeptLogo),
  colour: Schema.NullOr(Schema.String),
  telephone: Schema.NullOr(Schema.String),
  hours: Schema.NullOr(Schema.String),
  returnUrl: Schema.NullOr(Schema.String)
}
const HoursIn = inLanguages(Schema.String)

/** As the company's row keeps it. A row that is older than `hoursIn` has none. */
export const Brand = Schema.Struct({
  ...parts,
  hoursIn: HoursIn.pipe(Schema.withDecodingDefaultKey(Effect.succeed({})))
})
export type Brand = typeof Brand.Type

/** As answers show it. */
const ShownBrand = Schema.Struct({ ...parts, hoursIn: HoursIn }).annotate({ identifier: "Brand" })

/** When somebody answers, for a reader of this language. */
export const hoursFor = ({ hours, hoursIn }: Brand, language: Language): string | null => hoursIn[language] ?? hours

/** What a company shows that has set nothing. */
export const plainBrand: Brand = {
  logo: null,
  colour: null,
  telephone: null,
  hours: null,
  returnUrl: null,
  hoursIn: {}
}

const longestLogo = 4 * Math.ceil(largestLogoBytes / 3)

const judgeLogo = (value: string): string | undefined => {
  const tooLarge = `must be an image of at most ${largestLogoBytes / 1024} KB`
  if (value.length > longestLogo) return tooLarge
  const bytes = Buffer.from(value, "base64")
  if (bytes.length > largestLogoBytes) return tooLarge
  if (bytes.toString("base64") !== value) return "must be a PNG or JPEG image in base64"
  const header = imageHeader(bytes)
  if ("problem" in header) return header.problem
  return Math.max(header.width, header.height) > longestLogoSidePixels
    ? `must be at most ${longestLogoSidePixels} pixels wide and high`
    : undefined
}

const colour = /^#[0-9a-fA-F]{6}$/
const telephone = /^\+[1-9][0-9 ()-]*[0-9]$/

const judgeTelephone = (value: string): string | undefined => {
  const digits = value.replaceAll(/\D/g, "").length
  const isNumber = telephone.test(value) && digits >= leastTelephoneDigits && digits <= mostTelephoneDigits
  return isNumber && value.length <= longestTelephone
    ? undefined
    : `must be a telephone number with its country code, such as +44 113 496 0000, of ${leastTelephoneDigits} to ${mostTelephoneDigits} digits`
}

/** A link for people. The service itself never opens it. */
const judgeReturnUrl = (value: string): string | undefined => {
  if (value.length > longestReturnUrl) return `must be at most ${longestReturnUrl} characters`
  const url = /^[!-~]+$/.test(value) ? URL.parse(value) : null
  return url?.protocol === "https:" && url.username === "" && url.password === "" && url.hostname.includes(".")
    ? undefined
    : "must be an https URL of a public host, without user and password"
}

const hoursText = multilineText(longestHours).check(
  Schema.makeFilter((value) =>
    value.split("\n").length <= mostHoursLines ? linkProblem(value) : `must be at most ${mostHoursLines} lines`
  )
)

const BrandPatch = Schema.Struct({
  logo: Schema.optionalKey(
    Schema.NullOr(
      formattedText(longestLogo, judgeLogo, { contentEncoding: "base64" }).annotate({
        description: `A PNG or JPEG image in base64, of at most ${largestLogoBytes / 1024} KB and ${longestLogoSidePixels} pixels on each side. It is decoded and encoded anew; null takes the logo away`
      })
    ).annotate({ expected: "null, or a PNG or JPEG image in base64" })
  ),
  colour: Schema.optionalKey(
    Schema.NullOr(
      formattedText(7, (value) => (colour.test(value) ? undefined : "must be a colour such as #1a56ab"), {
        pattern: colour.source
      }).annotate({ description: "The colour of buttons and links, darkened or lightened until it can be read" })
    ).annotate({ expected: "null, or a colour such as #1a56ab" })
  ),
  telephone: Schema.optionalKey(
    Schema.NullOr(
      formattedText(longestTelephone, judgeTelephone, {}).annotate({
        description: "Where customers may call, with its country code"
      })
    ).annotate({ expected: "null or a string" })
  ),
  hours: Schema.optionalKey(
    Schema.NullOr(
      hoursText.annotate({
        description:
          "When somebody answers; plain text without links, line breaks are kept. For readers of every language that `hoursIn` does not name"
      })
    ).annotate({ expected: "null or a string" })
  ),
  hoursIn: Schema.optionalKey(
    inLanguages(Schema.NullOr(hoursText).annotate({ expected: "null or a string" })).annotate({
      identifier: "BrandHoursChange",
      description: "`hours` for readers of a language; what is not named stays, and null takes a language away",
      expected: "an object"
    })
  ),
  returnUrl: Schema.optionalKey(
    Schema.NullOr(
      formattedText(longestReturnUrl, judgeReturnUrl, { format: "uri" }).annotate({
        description: "Where a customer who is done goes back to: the seller's own site"
      })
    ).annotate({ expected: "null or a string" })
  )
}).annotate({ identifier: "BrandChange", expected: "an object" })
export type BrandPatch = typeof BrandPatch.Type

/** What of a brand changes, as a row takes it. Hours in a language that are null are taken out. */
export type BrandChange = Partial<Omit<Brand, "hoursIn">> & Pick<BrandPatch, "hoursIn">

export const brandField = ModelField({
  row: inColumn(Brand, { isJson: true }).pipe(Schema.withConstructorDefault(Effect.succeed(plainBrand))),
  shown: ShownBrand,
  resource: withExample(ShownBrand, {
    logo: {
      digest: "3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855a",
      type: "image/png",
      width: 320,
      height: 96
    },
    colour: "#1a56ab",
    telephone: "+44 113 496 0000",
    hours: "Monday to Friday, 9 to 17\nSaturday, 10 to 14",
    returnUrl: "https://harbourcars.example/thank-you",
    hoursIn: { pl: "Od poniedziałku do piątku, 9–17\nSobota, 10–14" }
  }),
  patch: Schema.optionalKey(BrandPatch)
})
