/** `journeys brand`: how pages and mails show a company to its customers. The word `none` takes a part of the brand away. */
import { Effect, Option } from "effect"
import { Command } from "effect/cli"
import * as Fs from "node:fs/promises"
import type { BrandPatch } from "../../../schema/company/Brand.ts"
import { languageCodes, languages } from "../../../schema/words/locale/languages.ts"
import { fileProblem } from "../../files/fileProblem.ts"
import { CommandFailed } from "../frame/CommandFailed.ts"
import { companyArgument, textFlag, textOrNone, textsOrNone } from "../frame/parameters.ts"
import { printOne } from "../frame/printing.ts"
import { SettingsClient } from "../frame/SettingsClient.ts"

const logoOf = Effect.fnUntraced(function* (file: string) {
  if (textOrNone(file) === null) return null
  return yield* Effect.tryPromise({
    try: () => Fs.readFile(file, "base64"),
    catch: (cause) => new CommandFailed({ message: `--logo: the file ${file} cannot be read: ${fileProblem(cause)}` })
  })
})

/** `--hours-pl`, and so on. */
const hoursInFlags = Object.fromEntries(
  languageCodes.map((code) => [code, textFlag(`hours-${code}`, `The same in ${languages[code].name}, or none`)])
)

const set = Command.make(
  "set",
  {
    company: companyArgument,
    logo: textFlag("logo", "File with a PNG or JPEG image, or none"),
    colour: textFlag("colour", "The colour of buttons and links, such as #1a56ab, or none"),
    telephone: textFlag("telephone", "Where customers may call, such as +44 113 496 0000, or none"),
    hours: textFlag("hours", "When somebody answers, in a few lines, or none"),
    hoursIn: hoursInFlags,
    returnUrl: textFlag("return-url", "The https address of the seller's own site, or none")
  },
  Effect.fn("brand set")(function* ({ company, hoursIn, logo, ...texts }) {
    const client = yield* SettingsClient
    const brand: BrandPatch = {
      ...textsOrNone(texts),
      ...(Object.values(hoursIn).some(Option.isSome) ? { hoursIn: textsOrNone(hoursIn) } : {}),
      ...(Option.isSome(logo) ? { logo: yield* logoOf(logo.value) } : {})
    }
    const changed = yield* client.call("changeCompany", { params: { companyId: company }, payload: { brand } })
    yield* printOne(changed.brand)
  })
).pipe(Command.withDescription("Set what customers see of a company; what is not named stays"))

export const brandCommand = Command.make("brand").pipe(
  Command.withDescription("How customers see a company"),
  Command.withSubcommands([set])
)
