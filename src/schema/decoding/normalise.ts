/**
 * Brings the text of a body into form before it is judged: composed, trimmed, and without blank text. The schema itself
 * says what is text, and of which kind; it is read once, when a module loads. Everything else passes unchanged.
 *
 * In the body of a change, blank text of a member that may be left out stays, as an empty text: the member was named, and the
 * schema refuses the empty text. Without the text the change would leave the member as it is, and say nothing.
 */
import { SchemaAST, type Schema } from "effect"
import { jsonLimits } from "./limits.ts"
import { isRecord } from "./record.ts"
import { normaliseText, textForm, type TextForm } from "./text.ts"

/** Returns its argument if nothing changes, otherwise a changed copy, and undefined for blank text. */
export type Normalise = (value: unknown) => unknown

export const normaliserOf = (schema: Schema.Constraint, { isChange = false } = {}): Normalise =>
  normaliserOfAst(schema.ast, isChange) ?? ((value) => value)

const normaliserOfAst = (ast: SchemaAST.AST, isChange: boolean, keepsBlank = false): Normalise | undefined => {
  switch (ast._tag) {
    case "String": {
      const form = ast.checks?.[0].annotations?.[textForm] as TextForm | undefined
      const ofBlank = keepsBlank ? "" : undefined
      return form && ((value) => (typeof value === "string" ? (normaliseText(value, form) ?? ofBlank) : value))
    }
    case "Objects": {
      const members = ast.propertySignatures.flatMap(({ name, type }): ReadonlyArray<Member> => {
        const normalise = normaliserOfAst(type, isChange, isChange && SchemaAST.isOptional(type))
        return normalise === undefined ? [] : [[String(name), normalise]]
      })
      return members.length === 0 ? undefined : (value) => normaliseMembers(members, value)
    }
    case "Arrays": {
      const entry = ast.rest[0] && normaliserOfAst(ast.rest[0], isChange)
      // A longer list is refused whatever its entries are.
      return (
        entry &&
        ((value) => (Array.isArray(value) && value.length <= jsonLimits.mostEntriesJudged ? value.map(entry) : value))
      )
    }
    case "Union": {
      // Each alternative changes only what it would read as text, so a value may pass through all of them.
      const alternatives = ast.types
        .map((type) => normaliserOfAst(type, isChange, keepsBlank))
        .filter((normalise) => normalise !== undefined)
      return alternatives.length === 0
        ? undefined
        : (value) => alternatives.reduce((form: unknown, normalise) => normalise(form), value)
    }
    default:
      return undefined
  }
}

type Member = readonly [name: string, normalise: Normalise]

const normaliseMembers = (members: ReadonlyArray<Member>, value: unknown): unknown => {
  if (!isRecord(value)) return value
  let copy = value
  for (const [name, normalise] of members) {
    const member = value[name]
    if (member === undefined) continue
    const normal = normalise(member)
    if (normal === member) continue
    // Spreading defines members one by one. A caller's own "__proto__" therefore stays a member and is refused as
    // unlisted.
    if (copy === value) copy = { ...value }
    if (normal === undefined) delete copy[name]
    else copy[name] = normal
  }
  return copy
}
