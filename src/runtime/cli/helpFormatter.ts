/**
 * The help texts of the commands: those of the library, with the command's examples. What a command and its flags do is said
 * by the command itself.
 */
import type { Layer } from "effect"
import { CliOutput, type HelpDoc } from "effect/cli"
import { commandExamples } from "./commandExamples.ts"

/** What the help of a command shows. A group of commands has no examples of its own. */
export const withExamples = (doc: HelpDoc.HelpDoc): HelpDoc.HelpDoc => {
  const path = (doc.commandPath ?? []).slice(1).join(" ")
  const examples = commandExamples[path]?.map((parameters) => ({
    command: ["npm run journeys --", path, parameters].filter((part) => part !== "").join(" ")
  }))
  return examples === undefined ? doc : { ...doc, examples }
}

/** The library's texts, with another text for help. */
export const formatterWith = (formatHelpDoc: CliOutput.Formatter["formatHelpDoc"]): CliOutput.Formatter => {
  const { formatCliError, formatError, formatErrors, formatVersion } = CliOutput.defaultFormatter()
  return { formatHelpDoc, formatCliError, formatError, formatErrors, formatVersion }
}

export const layer: Layer.Layer<never> = CliOutput.layer(
  formatterWith((doc) => CliOutput.defaultFormatter().formatHelpDoc(withExamples(doc)))
)
