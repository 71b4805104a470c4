/** Where a body of this form has a field of a name, for whoever put the field into another object of the body. */
import type { SchemaAST } from "effect"
import { memberPath } from "./quoteName.ts"

/** The paths of the objects that have the field; the body itself is the empty path. Entries of lists are not looked at. */
type Holders = ReadonlyMap<string, ReadonlyArray<string>>

const holdersOfForm = new WeakMap<SchemaAST.AST, Holders>()

/** The path of the one object of a body of this form that has a field of this name; undefined when none has, or several. */
export const holderOf = (form: SchemaAST.AST, name: string): string | undefined => {
  const known = holdersOfForm.get(form) ?? holdersIn(form)
  holdersOfForm.set(form, known)
  const [only, ...others] = known.get(name) ?? []
  return others.length === 0 ? only : undefined
}

const holdersIn = (form: SchemaAST.AST): Holders => {
  const holders = new Map<string, Array<string>>()
  const look = (ast: SchemaAST.AST, path: string): void => {
    if (ast._tag === "Union") for (const one of ast.types) look(one, path)
    if (ast._tag !== "Objects") return
    for (const { name, type } of ast.propertySignatures) {
      if (typeof name !== "string") continue
      const paths = holders.get(name) ?? []
      if (!paths.includes(path)) holders.set(name, [...paths, path])
      look(type, memberPath(path, name))
    }
  }
  look(form, "")
  return holders
}
