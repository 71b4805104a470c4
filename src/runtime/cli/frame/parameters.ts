/** Arguments and flags that several commands share, and how they become a request. */
import { Option } from "effect"
import { Argument, Flag } from "effect/cli"
import { firstPage, largestPageSize, usualPageSize } from "../../../schema/decoding/parameters.ts"

export const companyArgument = Argument.String("company").pipe(
  Argument.withDescription("The company's id, or its name")
)

export const journeyArgument = Argument.String("journey").pipe(
  Argument.withDescription(
    "The journey's id, its external reference, the vehicle's registration or the customer's email"
  )
)

export const page = {
  page: Flag.Int("page").pipe(Flag.withDefault(firstPage), Flag.withDescription(`Page, from ${firstPage}`)),
  size: Flag.Int("size").pipe(
    Flag.withDefault(usualPageSize),
    Flag.withDescription(`Entries a page, up to ${largestPageSize}; left out, ${usualPageSize}`)
  )
}

/** A list that goes on from a cursor. */
export const piece = {
  cursor: Flag.String("cursor").pipe(Flag.withDescription("Where to go on, as the command before said"), Flag.optional),
  size: page.size
}

/** The words of a choice as they are, and in capitals and small letters: nobody should have to know which. */
export const inAnyCase = <const Word extends string>(words: ReadonlyArray<Word>) =>
  [...new Set(words.flatMap((word) => [word, word.toUpperCase(), word.toLowerCase()]))].map(
    (spelling) => [spelling, words.find((word) => word.toLowerCase() === spelling.toLowerCase()) as Word] as const
  )

/** An argument that is one of these words. The library's help lists the choices of flags, and of arguments none. */
export const choiceArgument = <const Word extends string>(
  name: string,
  words: ReadonlyArray<Word>,
  description: string
): Argument.Argument<Word> =>
  Argument.ChoiceWithValue(name, inAnyCase(words)).pipe(Argument.withDescription(`${description}: ${words.join(", ")}`))

/** The help text of a flag that must be given. The library calls a flag required that may be given several times or not at all. */
export const required =
  (description: string) =>
  <A>(flag: Flag.Flag<A>): Flag.Flag<A> =>
    Flag.withDescription(flag, `${description} (required)`)

/** An optional text flag. */
export const textFlag = (name: string, description: string) =>
  Flag.String(name).pipe(Flag.withDescription(description), Flag.optional)

const nothing = "none"

/** What a text flag says that takes something away with the word `none`. */
export const textOrNone = (text: string): string | null => (text === nothing ? null : text)

/** The texts that were given, as members of a body. */
export const textsOrNone = (texts: Readonly<Record<string, Option.Option<string>>>) =>
  Object.fromEntries(
    Object.entries(texts).flatMap(([name, text]) => (Option.isSome(text) ? [[name, textOrNone(text.value)]] : []))
  )

/** An optional switch: `--name` or `--no-name`. */
export const toggle = (name: string, description: string) =>
  Flag.Boolean(name).pipe(Flag.withDescription(description), Flag.optional)

type Given<A> = { readonly [K in keyof A]: A[K] extends Option.Option<infer V> ? V : A[K] }

/** The members that were given, as members of a body. */
export const given = <A extends Readonly<Record<string, Option.Option<unknown>>>>(options: A): Partial<Given<A>> =>
  Object.fromEntries(
    Object.entries(options).flatMap(([name, option]) => (Option.isSome(option) ? [[name, option.value]] : []))
  ) as Partial<Given<A>>
