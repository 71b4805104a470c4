/**
 * Decisions: a code such as V15 that is cited in a comment, a test or a document is defined in docs/decisions.md.
 * The definitions stand there as list items that begin with the code in bold: `- **V15** ...`.
 */
export interface Text {
  readonly path: string
  readonly text: string
}

/** Words that look like a code and are none, each with what it is. */
const notCodes: ReadonlySet<string> = new Set<string>([])

const code = /(?<![\w/#.%&+-])(?:R|E|N|V|I|A|F|D|H|X|S|W|M|B|G|T|K)[0-9]{1,2}(?![\w./%-])/g

export const definedCodes = (decisions: string): ReadonlySet<string> =>
  new Set([...decisions.matchAll(/^- \*\*([A-Z]{1,3}[0-9]{1,2})\*\*/gm)].map((match) => match[1] ?? ""))

export const undefinedCodes = (texts: ReadonlyArray<Text>, decisions: string): ReadonlyArray<string> => {
  const defined = definedCodes(decisions)
  const missing = texts.flatMap(({ path, text }) =>
    [...new Set(text.match(code) ?? [])]
      .filter((cited) => !defined.has(cited) && !notCodes.has(cited))
      .map((cited) => `${cited} in ${path}`)
  )
  return missing.toSorted()
}
