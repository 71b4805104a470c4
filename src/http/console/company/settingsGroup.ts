/** A group of a company's settings on the page of the company: its form, the body that the form becomes, and what is refused before any operation is asked. */
import type { CompanyResource } from "../../../schema/company/Company.ts"
import type { FieldError } from "../../../schema/problems.ts"
import type { Shown } from "../../server/pages/html.ts"
import type { FormParts } from "../frame/forms.ts"

type Fields = FormParts["fields"]
type Body = Readonly<Record<string, unknown>>

export interface SettingsGroup {
  readonly title: string
  readonly about: Shown
  readonly fields: (company: CompanyResource) => Fields
  readonly body: (fields: URLSearchParams) => Body
  /** What was typed and would go nowhere: the operation never sees it. */
  readonly lost?: (fields: URLSearchParams, company: CompanyResource) => ReadonlyArray<FieldError>
}

/** Obligatory fields that are empty, in the words of the form; and what would be lost without a word, of which no operation is asked. */
export const refusedBefore = (
  { fields, lost }: SettingsGroup,
  typed: URLSearchParams,
  company: CompanyResource
): { readonly missing: ReadonlyArray<FieldError>; readonly lost: ReadonlyArray<FieldError> } => ({
  missing: fields(company).flatMap((field) =>
    "required" in field && field.required && typed.get(field.name)?.trim() === ""
      ? [{ field: field.name, code: "VALIDATION_FAILED" as const, message: `${field.label} is missing` }]
      : []
  ),
  lost: lost?.(typed, company) ?? []
})

export const textOf = (fields: URLSearchParams, name: string): string => (fields.get(name) ?? "").trim()

/** A field that is left empty takes the setting away. */
export const textOrNull = (fields: URLSearchParams, name: string): string | null => {
  const text = textOf(fields, name)
  return text === "" ? null : text
}

/** The same of a field with lines, whose ends a browser writes in two characters. */
export const linesOrNull = (fields: URLSearchParams, name: string): string | null =>
  textOrNull(fields, name)?.replaceAll("\r\n", "\n") ?? null
