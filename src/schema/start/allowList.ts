/**
 * Allow-lists: what leaves the service is copied member by member from a list of names, so that a member that nobody has
 * named stays here. The type makes the compiler ask about every member that there is. What is allowed is said by whoever
 * sends the document. A list may say a word in place of `true`: where its reader finds the member.
 */
import type { Schema } from "effect"
import { memberOf } from "../decoding/record.ts"

/** For each member whether it is sent. An object or a list of objects is never sent as a whole: its members are named too. */
export type AllowList<A> = {
  readonly [Name in keyof A]-?: NonNullable<A[Name]> extends ReadonlyArray<infer Entry>
    ? false | AllowList<Entry>
    : NonNullable<A[Name]> extends object
      ? false | AllowList<NonNullable<A[Name]>>
      : boolean
}

/** What is left of a value when only the allowed members are copied. */
export type Allowed<A, List> =
  A extends ReadonlyArray<infer Entry>
    ? ReadonlyArray<Allowed<Entry, List>>
    : A extends object
      ? {
          readonly [
            Name in keyof A as Name extends keyof List ? (List[Name] extends false ? never : Name) : never
          ]: Name extends keyof List ? (List[Name] extends true ? A[Name] : Allowed<A[Name], List[Name]>) : never
        }
      : A

type Names = Readonly<Record<string, unknown>>

/** The members come in the order of the list, and an absent member stays absent. */
export const onlyAllowed = <A extends object, const List extends AllowList<A>>(
  value: A,
  list: List
): Allowed<A, List> =>
  // The copy follows the list at run time as `Allowed` does in types; the compiler cannot follow the recursion.
  copied(value, list) as Allowed<A, List>

const copied = (value: unknown, list: Names): unknown => {
  if (Array.isArray(value)) return value.map((entry) => copied(entry, list))
  if (typeof value !== "object" || value === null) return value
  const copy: Record<string, unknown> = {}
  for (const [name, allowed] of Object.entries(list)) {
    if (allowed === false || !Object.hasOwn(value, name)) continue
    const member: unknown = Reflect.get(value, name)
    copy[name] = allowed === true ? member : copied(member, allowed as Names)
  }
  return copy
}

/** The names to which a list gives the word, at any depth. */
export type NamesIn<List, Word> = {
  [Name in keyof List]: List[Name] extends Word
    ? Name
    : List[Name] extends string | boolean
      ? never
      : NamesIn<List[Name], Word>
}[keyof List]

/** The fields of a schema that has these names and no others. */
export type FieldsNamed<Names extends PropertyKey> = Readonly<Record<Names, Schema.Constraint>>

/** The members to which the list gives the word, as an answer has them. */
type Shown<A, List, Word> = {
  readonly [Name in keyof A & NamesIn<List, Word>]:
    | Exclude<A[Name], undefined>
    | (undefined extends A[Name] ? null : never)
}

/** One level of a value; null for what it does not say. */
export const shownOf = <A extends object, const List extends object, const Word extends string | true>(
  value: A,
  list: List,
  word: Word
): Shown<A, List, Word> =>
  // The entries are those of the type, which the compiler does not see in a list of entries.
  Object.fromEntries(
    Object.entries(list).flatMap(([name, said]) => (said === word ? [[name, memberOf(value, name) ?? null]] : []))
  ) as Shown<A, List, Word>
