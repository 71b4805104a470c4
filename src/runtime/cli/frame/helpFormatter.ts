/**
 * The help texts of the commands: those of the library, with the command's examples. What a command and its flags do is said
 * by the command itself.
 */
import { Console, Effect, Layer, Option } from "effect"
import { CliOutput, type HelpDoc } from "effect/cli"
import { commandExamples } from "./commandExamples.ts"

/** Choices are taken in capitals and small letters (`inAnyCase`); a text names each of them once. */
const eachOnce = (choices: string, separator: string): string => {
  const words = choices.split(separator)
  const spellings = words.map((word) => word.toLowerCase())
  return words.filter((_, index) => spellings.indexOf(spellings[index] ?? "") === index).join(separator)
}

/** The library's words for choices and numbers, as a person reads them. */
const inPlainWords = (text: string): string =>
  text
    .replaceAll(/(?<=\(choices: )[^)]+(?=\)$)/gm, (choices) => eachOnce(choices, ", "))
    .replaceAll(/(?<=Expected: )"[^"]*"(?: \| "[^"]*")+/g, (choices) => eachOnce(choices, " | "))
    // Every number of a command is a whole one.
    .replaceAll("a string representing a finite number", "a whole number")

/** Without -s npm writes a heading to stdout, which would be the beginning of a file, or of what a program reads as JSON. */
const runs = (parameters: string): string =>
  /> |--json/.test(parameters) ? "npm run -s journeys --" : "npm run journeys --"

/** What the help of a command shows. A group of commands has no examples of its own. */
export const withExamples = (shown: HelpDoc.HelpDoc): HelpDoc.HelpDoc => {
  const flags = shown.flags.map((flag) => ({ ...flag, description: Option.map(flag.description, inPlainWords) }))
  const doc = { ...shown, flags }
  const path = (doc.commandPath ?? []).slice(1).join(" ")
  const examples = commandExamples[path]?.map((parameters) => ({
    command: [runs(parameters), path, parameters].filter((part) => part !== "").join(" ")
  }))
  return examples === undefined ? doc : { ...doc, examples }
}

/** The library's texts, with another text for help. */
export const formatterWith = (formatHelpDoc: CliOutput.Formatter["formatHelpDoc"]): CliOutput.Formatter => {
  const { formatCliError, formatError, formatErrors, formatVersion } = CliOutput.defaultFormatter()
  return {
    formatHelpDoc,
    formatCliError: (error) => inPlainWords(formatCliError(error)),
    formatError: (error) => inPlainWords(formatError(error)),
    formatErrors: (errors) => inPlainWords(formatErrors(errors)),
    formatVersion
  }
}

const formatter = formatterWith((doc) => CliOutput.defaultFormatter().formatHelpDoc(withExamples(doc)))

/** What a mistyped command shows goes to stderr: a program that reads stdout, or a file that it goes to, gets answers only. */
const presenter: CliOutput.Presenter = {
  present: (event) => {
    if (event._tag === "InvalidInvocation") {
      return Effect.andThen(
        Console.error(formatter.formatHelpDoc(event.helpDoc)),
        Console.error(formatter.formatErrors(event.errors))
      )
    }
    // The name of a group alone: the program says what is missing (`program.ts`).
    if (event._tag === "Help" && event.reason === "Implicit") {
      return Console.error(`${formatter.formatHelpDoc(event.helpDoc)}\n`)
    }
    return CliOutput.defaultPresenter.present(event)
  }
}

export const layer: Layer.Layer<never> = Layer.merge(CliOutput.layer(formatter), CliOutput.layerPresenter(presenter))
