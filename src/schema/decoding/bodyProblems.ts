/**
 * What a schema found wrong with a body, as a flat list: the place, the kind, and the rule that was broken. This file
 * does not decide the error code of a problem, and it never repeats a value of the body, which may hold personal data.
 */
import type { SchemaAST, SchemaIssue } from "effect"
import { jsonLimits } from "./limits.ts"
import { nearestName } from "./nearName.ts"
import { holderOf } from "./otherPlaces.ts"
import { memberPath } from "./quoteName.ts"
import { memberOf } from "./record.ts"

/** MISTYPED: the value has another JSON type than the field. MALFORMED: it has the right type and breaks a rule. */
export type ProblemKind = "MISSING" | "UNLISTED" | "MISTYPED" | "MALFORMED"

export interface BodyProblem {
  /** The path in the body, such as `finance.addressHistory[2].postcode`. */
  readonly field: string
  readonly kind: ProblemKind
  /** The rest of a sentence that begins with the field: "must be a string". */
  readonly rule: string
}

/**
 * The problems in the order of the schema's fields. Unlisted names of an object come before its fields. `sent`: the body before its
 * blank text was taken away, which tells a text without a visible character from one that is not there.
 */
export const problemsOf = (issue: SchemaIssue.Issue, sent?: unknown): ReadonlyArray<BodyProblem> => {
  const problems: Array<BodyProblem> = []
  collect(issue, { field: "", form: "ast" in issue ? issue.ast : null, sent }, problems)
  return problems
}

/** A place in the body: its path, what was sent there, and the form of the whole body. */
interface Place {
  readonly form: SchemaAST.AST | null
  readonly field: string
  /** The last step of the path, if the step is a member. */
  readonly name?: string
  readonly sent: unknown
}

const collect = (issue: SchemaIssue.Issue, place: Place, problems: Array<BodyProblem>): void => {
  const { field, sent } = place
  switch (issue._tag) {
    case "Composite":
      for (const inner of issue.issues) collect(inner, place, problems)
      return
    case "Pointer": {
      const step = issue.path[0]
      // Entries beyond the limit are one problem of their list, and not several each.
      if (typeof step === "number" && step >= jsonLimits.mostEntriesJudged) return
      return collect(issue.issue, placeIn(place, step), problems)
    }
    case "Encoding":
      return collect(issue.issue, place, problems)
    case "Filter":
      // A rule about several members names the one at which it is told.
      return issue.issue._tag === "Pointer"
        ? collect(issue.issue, place, problems)
        : collectValue(issue, field, problems)
    case "AnyOf": {
      const [only, ...others] = issue.issues
      // The value has the form of one alternative. The answer reports the problems of that one, and does not list the
      // others.
      if (only !== undefined && others.length === 0) return collect(only, place, problems)
      return collectValue(issue, field, problems)
    }
    case "MissingKey":
      problems.push({ field, kind: "MISSING", rule: typeof sent === "string" ? "must not be empty" : "is required" })
      return
    case "UnexpectedKey":
      problems.push({ field, kind: "UNLISTED", rule: `is not a field of this request${meant(issue.ast, place)}` })
      return
    default:
      return collectValue(issue, field, problems)
  }
}

/** What the sender has probably meant by a name that the object does not have, or where a field of this name belongs. */
const meant = (ast: SchemaAST.AST, { form, name }: Place): string => {
  if (ast._tag !== "Objects" || name === undefined) return ""
  const known = ast.propertySignatures.flatMap((one) => (typeof one.name === "string" ? [one.name] : []))
  const near = nearestName(name, known)
  if (near !== undefined) return `; did you mean ${near}?`
  const holder = form === null ? undefined : holderOf(form, name)
  return holder === undefined ? "" : `; ${name} is a field of ${holder === "" ? "the body itself" : holder}`
}

const collectValue = (issue: SchemaIssue.Issue, field: string, problems: Array<BodyProblem>): void => {
  // One entry for one value: a number that is neither whole nor within bounds breaks one rule, in one sentence.
  if (problems.at(-1)?.field === field) return
  problems.push({ field, kind: isMistyped(issue) ? "MISTYPED" : "MALFORMED", rule: ruleOf(issue) })
}

/** Needs the parse option `reportInput`, which keeps the refused value in the issue. */
const isMistyped = (issue: SchemaIssue.Issue): boolean => {
  if (issue._tag !== "InvalidType" && issue._tag !== "AnyOf") return false
  const literal = issue.ast._tag === "Union" ? issue.ast.types[0] : issue.ast
  return literal?._tag !== "Literal" || typeof literal.literal !== typeof issue.input
}

/** A step in the path of a schema's issue is one member or one entry. */
const placeIn = ({ field, form, sent }: Place, step: PropertyKey | undefined): Place =>
  typeof step === "number"
    ? { form, field: `${field}[${step}]`, sent: Array.isArray(sent) ? sent[step] : undefined }
    : { form, field: memberPath(field, String(step)), name: String(step), sent: memberOf(sent, String(step)) }

const ruleOf = (issue: SchemaIssue.Issue): string => {
  switch (issue._tag) {
    case "Filter":
      return issue.filter.annotations?.message ?? ruleOf(issue.issue)
    case "InvalidValue":
      return issue.annotations?.message ?? "is not accepted"
    case "InvalidType":
    case "AnyOf":
      return `must be ${expected(issue.ast)}`
    default:
      return "is not accepted"
  }
}

const expected = (ast: SchemaAST.AST): string => {
  switch (ast._tag) {
    case "String":
      return "a string"
    case "Number":
      return "a number"
    case "Boolean":
      return "true or false"
    case "Objects":
      return "an object"
    case "Arrays":
      return "a list"
    case "Literal":
      return String(ast.literal)
    case "Null":
      return "null"
    case "Union": {
      const named = ast.annotations?.["expected"]
      return typeof named === "string" ? named : `one of ${ast.types.map(expected).join(", ")}`
    }
    default:
      return "another value"
  }
}
