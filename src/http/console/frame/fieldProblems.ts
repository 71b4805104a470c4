/**
 * What an operation refused about a form, shown beside the fields, with what was typed still there. A refusal that is about no
 * field of the form stands above it. Any other problem becomes a page of its own.
 */
import { Effect } from "effect"
import type { FieldError } from "../../../schema/problems.ts"
import { html, type Html, type Shown } from "../../server/html.ts"
import type { HandlerFailure } from "../../server/answering.ts"
import type { Problem } from "../../server/problems.ts"

/** What an operation said about the fields of a form. */
export class Refused {
  readonly errors: ReadonlyArray<FieldError>
  constructor(errors: ReadonlyArray<FieldError>) {
    this.errors = errors
  }
}

/** A body that breaks a rule; not one that cannot be read at all. */
const isAboutFields = ({ errors: [{ code }] }: Problem): boolean => code === "VALIDATION_FAILED"

/** The answer, or what the form has to show again. */
export const orRefused = <A, R>(
  asking: Effect.Effect<A, HandlerFailure, R>
): Effect.Effect<A | Refused, HandlerFailure, R> =>
  Effect.catchTag(asking, "Problem", (failure) =>
    isAboutFields(failure) ? Effect.succeed(new Refused(failure.errors)) : Effect.fail(failure)
  )

/** The sentence about a field: it is read out with the field. */
export const problemAt = (field: string, errors: ReadonlyArray<FieldError>): Shown => {
  const own = errors.filter((error) => error.field === field || error.field.startsWith(`${field}[`))
  return (
    own.length > 0 &&
    html`<small class="problem" id="${field}-problem">${own.map(({ message }) => message).join(". ")}</small>`
  )
}

/** The attributes of a field that was refused. */
export const refusedAttributes = (field: string, errors: ReadonlyArray<FieldError>): Shown =>
  errors.some((error) => error.field === field) && html`aria-invalid="true" aria-describedby="${field}-problem"`

/** The refusals that are about none of these fields. */
export const otherProblems = (fields: ReadonlyArray<string>, errors: ReadonlyArray<FieldError>): Html =>
  html`${
    errors.length > 0 &&
    html`<p role="alert" class="problem">
      Nothing was changed.
      ${errors.filter(({ field }) => !fields.some((one) => field.startsWith(one))).map(({ message }) => `${message}. `)}
    </p>`
  }`
