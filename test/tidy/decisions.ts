/**
 * Decisions: a code such as V15 that is cited in a comment, a test or a document is defined in docs/decisions.md.
 * The definitions stand there as list items that begin with the code in bold: `- **V15** ...`.
 */
export interface Text {
  readonly path: string
  readonly text: string
}

/** A decision (V15), an invariant (INV-13), a fault (FAULT-17), or a bad input, of which the group is defined (BAD-H19). */
const code =
  /(?<![\w/#.%&+-])(?:(?:INV|FAULT)-[0-9]{1,2}|BAD-[A-Z]{1,3}(?=[0-9]{1,2})|[RENVIAFDHXSWMBGTK][0-9]{1,2})(?!\w*[/%-]|[A-Za-z_]|[.:]\d)/g

const definition = /^- \*\*([A-Z]+-?[0-9]{1,2})\*\*|\*\*(BAD-[A-Z]{1,3})\*\*/gm

/** The files that cite a code without a definition, each with those codes. */
export const undefinedCodes = (texts: ReadonlyArray<Text>, decisions: string): ReadonlyArray<string> => {
  const defined = new Set([...decisions.matchAll(definition)].map((match) => match[1] ?? match[2] ?? ""))
  return texts
    .map(({ path, text }) => ({ path, missing: [...new Set(text.match(code))].filter((cited) => !defined.has(cited)) }))
    .filter(({ missing }) => missing.length > 0)
    .map(({ missing, path }) => `${path} cites ${missing.toSorted().join(", ")}`)
    .toSorted()
}
