/**
 * The forms of the console's pages, as data: a list of fields becomes a form with labels, hints and what an operation refused
 * beside each field. A field has the name that the operation gives it in `errors[].field` (such as `brand.colour`), so that a
 * refusal finds its field; a refusal about no field of the form stands above the form, and is read out at once. The page of a form
 * that was refused opens there: the first refused field has the focus. What was typed stays in the form, but never a secret. What a form means is its page's business:
 *
 *     const form = (state: ConsoleFormState = asFirstShown) =>
 *       formOf(user, { id: "note", action: path, button: "Save", state,
 *         fields: [{ is: "text", name: "name", label: "Name", value: company.name, hint: "Up to 255 characters" }] })
 *     ...
 *     const done = yield* orShownAgain(ask(operations, "changeThing", { path, body }), fields)   // in the handler of the POST
 *     if ("state" in done) return yield* showPage(user, pageWith(form(done.state)))               // with what was refused
 *     return yield* redirectTo(path, "The name was changed.")
 */
import { Effect } from "effect"
import type { FieldError } from "../../../schema/problems.ts"
import { html, type Html, type Shown } from "../../server/pages/html.ts"
import { pageStatus } from "../../server/pages/pageStatus.ts"
import { statusOf, type Problem } from "../../server/answers/problems.ts"
import type { ConsoleUser } from "./consolePage.ts"
import { tokenField } from "../../server/pages/tokenField.ts"

/** What a form shows: the values that were typed, by the names of their fields, and what was refused about them. */
export interface ConsoleFormState {
  readonly typed: URLSearchParams | null
  readonly errors: ReadonlyArray<FieldError>
}

export const asFirstShown: ConsoleFormState = { typed: null, errors: [] }

/** The status of a page with a form in this state. */
export const statusWith = ({ errors }: ConsoleFormState): number =>
  errors.length === 0 ? pageStatus.shown : pageStatus.unusable

interface Common {
  readonly name: string
  readonly label: string
  readonly hint?: Shown
}

export interface Choice {
  readonly value: string
  readonly label: string
}

export interface ShownChoice {
  readonly value: string
  readonly label: Shown
}

export type FormField =
  | (Common & {
      readonly is: "text" | "email" | "url" | "tel" | "search" | "number" | "date" | "datetime-local"
      readonly value?: string | number | null
      readonly required?: boolean
      readonly autocomplete?: string
      readonly maxLength?: number
      readonly placeholder?: string
    })
  /** One of several, or any of several, that are all shown. */
  | (Common & { readonly is: "radio"; readonly value: string; readonly choices: ReadonlyArray<ShownChoice> })
  | (Common & {
      readonly is: "ticks"
      readonly value: ReadonlyArray<string>
      readonly choices: ReadonlyArray<ShownChoice>
    })
  /** Made by the page itself out of what was typed; `null`: nothing was typed yet. */
  | (Common & { readonly is: "own"; readonly control: (typed: URLSearchParams | null) => Html })
  /** By the end of its name a form that is not taken knows what it must not repeat (`typedTexts.ts`). */
  | (Common & {
      readonly is: "password"
      readonly name: `${string}.secret`
      readonly autocomplete?: string
      readonly required?: boolean
    })
  | (Common & { readonly is: "area"; readonly value?: string | null; readonly rows?: number })
  | (Common & { readonly is: "select"; readonly value?: string | null; readonly choices: ReadonlyArray<Choice> })
  /** A box that is ticked sends the value "yes"; one that is not sends nothing. */
  | (Common & { readonly is: "tick"; readonly value?: boolean })
  | (Common & { readonly is: "file"; readonly accept: string })
  | { readonly is: "hidden"; readonly name: string; readonly value: string }

export interface FormParts {
  /** Makes the ids of the fields; unique on the page. */
  readonly id: string
  readonly action: string
  readonly button: string
  readonly fields: ReadonlyArray<FormField>
  readonly state?: ConsoleFormState
  /** A change that cannot be taken back has a button that looks so. */
  readonly isDangerous?: boolean
  /** Shows the fields side by side, as a row of filters. */
  readonly isRow?: boolean
  /** A form that only asks: its fields stand in the address, and nothing is changed. */
  readonly asks?: boolean
  /** Of a form that asks: the address without its filters. Null while nothing is filtered. */
  readonly all?: string | null
  /** What a refusal means, where "Nothing was changed." says too little. */
  readonly whenRefused?: string
  /** What stands between the fields and the button. */
  readonly before?: Shown
}

const idOf = (form: string, name: string): string => `${form}-${name.replaceAll(/[^\w-]/g, "-")}`

/** The refusals about a field, also about a part of what the field says, such as `events[2]`. */
const refusalsOf = (name: string, { errors }: ConsoleFormState) =>
  errors.filter(({ field }) => field === name || field.startsWith(`${name}[`))

type ShownField = Exclude<FormField, { is: "hidden" }>

/** One control, which can have the focus. */
const isOneControl = ({ is }: FormField): boolean => !["hidden", "radio", "ticks", "own"].includes(is)

/** The field that a refused form opens at; null: its refusals, above it. */
const firstRefused = (fields: ReadonlyArray<FormField>, state: ConsoleFormState): FormField | null => {
  const first = fields.find(({ name }) => refusalsOf(name, state).length > 0)
  return first !== undefined && isOneControl(first) ? first : null
}

/** What is said beside a field need not name it again as programs do: "brand.colour must be" is "Must be". */
const besideField = ({ field, message }: FieldError): string => {
  const own = message.startsWith(`${field} `) ? message.slice(field.length + 1) : message
  // What a program sends as null, a form sends as an empty field.
  const rest = own.replaceAll(/\bnull\b/g, "empty")
  return `${rest.slice(0, 1).toUpperCase()}${rest.slice(1)}`
}

/** What was refused about the field with this id: right below it, before its hint, in words that alone look like an error. */
export const refusedHtml = (id: string, says: string): Html =>
  html`<small class="refused" id="${id}-refused">${says}</small>`

const fieldHtml = (form: string, field: ShownField, state: ConsoleFormState, opensHere: boolean): Html => {
  const { hint, is, label, name } = field
  const id = idOf(form, name)
  const refusals = refusalsOf(name, state)
  const isRefused = refusals.length > 0
  const describedBy = [...(hint === undefined ? [] : [`${id}-hint`]), ...(isRefused ? [`${id}-refused`] : [])].join(" ")
  const common = html`id="${id}" name="${name}" ${describedBy !== "" && html`aria-describedby="${describedBy}"`}
  ${isRefused && html`aria-invalid="true"`} ${opensHere && html`autofocus`}`
  const beside = html`${isRefused && refusedHtml(id, refusals.map(besideField).join(". "))}
  ${hint !== undefined && html`<small id="${id}-hint">${hint}</small>`}`
  if (is === "tick") {
    const isOn = state.typed === null ? field.value === true : state.typed.has(name)
    return html`<div class="field">
      <label for="${id}"><input type="checkbox" value="yes" ${common} ${isOn && html`checked`} /> ${label}</label>
      ${beside}
    </div>`
  }
  if (is === "radio" || is === "ticks" || is === "own") {
    return html`<fieldset class="field" ${describedBy !== "" && html`aria-describedby="${describedBy}"`}>
      <legend>${label}</legend>
      ${is === "own" ? field.control(state.typed) : choicesHtml(field, state)} ${beside}
    </fieldset>`
  }
  return html`<div class="field">
    <label for="${id}">${label}</label>
    ${control(field, common, state)} ${beside}
  </div>`
}

/** A box or a button before its words. */
export const tickHtml = (type: "checkbox" | "radio", name: string, choice: ShownChoice, isOn: boolean): Html =>
  html`<label
    ><input type="${type}" name="${name}" value="${choice.value}" ${isOn && html`checked`} /> ${choice.label}</label
  >`

const choicesHtml = (field: Extract<FormField, { is: "radio" | "ticks" }>, { typed }: ConsoleFormState): Shown => {
  const { name } = field
  const type = field.is === "radio" ? "radio" : "checkbox"
  const chosen = typed === null ? [field.value].flat() : typed.getAll(name)
  return field.choices.map((choice) => tickHtml(type, name, choice, chosen.includes(choice.value)))
}

const control = (
  field: Exclude<FormField, { is: "hidden" | "tick" | "radio" | "ticks" | "own" }>,
  common: Html,
  { typed }: ConsoleFormState
): Html => {
  const value = field.is === "file" || field.is === "password" ? "" : (typed?.get(field.name) ?? field.value ?? "")
  switch (field.is) {
    case "area":
      return html`<textarea rows="${field.rows ?? 4}" ${common}>${value}</textarea>`
    case "select":
      return html`<select ${common}>
        ${field.choices.map(
          (choice) =>
            html`<option value="${choice.value}" ${choice.value === value && html`selected`}>${choice.label}</option>`
        )}
      </select>`
    case "file":
      return html`<input type="file" accept="${field.accept}" ${common} />`
    case "password":
      return html`<input type="password" value="" ${common} ${attributesOf(field)} />`
    default:
      return html`<input
        type="${field.is}"
        value="${value}"
        ${common}
        ${attributesOf(field)}
        ${field.maxLength !== undefined && html`maxlength="${field.maxLength}"`}
        ${field.placeholder !== undefined && html`placeholder="${field.placeholder}"`}
      />`
  }
}

const attributesOf = ({ autocomplete, required = false }: { autocomplete?: string; required?: boolean }): Html =>
  html`${required && html`required`} ${autocomplete !== undefined && html`autocomplete="${autocomplete}"`}`

/** Refusals that are about no field of the form. */
const otherRefusals = ({ asks = false, fields, whenRefused }: FormParts, state: ConsoleFormState): Shown => {
  if (state.errors.length === 0) return null
  const shown = new Set(fields.flatMap(({ name }) => refusalsOf(name, state)))
  const others = state.errors.filter((error) => !shown.has(error))
  const opensHere = firstRefused(fields, state) === null
  return html`<div role="alert" class="refused" ${opensHere && html`tabindex="-1" autofocus`}>
    <p>
      ${whenRefused ?? (asks ? "Nothing was looked up." : "Nothing was changed.")}${shown.size > 0 && " Please look at the fields that are marked."}
    </p>
    ${
      others.length > 0 &&
      html`<ul>
        ${others.map(({ message }) => html`<li>${message}</li>`)}
      </ul>`
    }
  </div>`
}

export const formOf = ({ formToken }: Pick<ConsoleUser, "formToken">, parts: FormParts): Html => {
  const { action, all = null, asks = false, button, fields, id, isDangerous = false, isRow = false } = parts
  const { state = asFirstShown } = parts
  const hasFile = fields.some(({ is }) => is === "file")
  const first = firstRefused(fields, state)
  return html`<form
    id="${id}"
    method="${asks ? "get" : "post"}"
    action="${action}"
    ${hasFile && html`enctype="multipart/form-data"`}
    ${isRow && html`class="row"`}
    novalidate
  >
    ${!asks && tokenField(formToken)} ${otherRefusals(parts, state)}
    ${fields.map((field) =>
      field.is === "hidden"
        ? html`<input type="hidden" name="${field.name}" value="${field.value}" />`
        : fieldHtml(id, field, state, field === first)
    )}
    ${parts.before ?? null}
    <button ${isDangerous && html`class="danger"`}>${button}</button>
    ${all !== null && html`<a class="all" href="${all}">Show all</a>`}
  </form>`
}

const ownPage: ReadonlySet<number> = new Set([404, 403])

/** The answer of an operation, or the state in which the form is shown again. What leads elsewhere stays a problem. */
export const orShownAgain = <A, E, R>(
  asking: Effect.Effect<A, E | Problem, R>,
  typed: URLSearchParams
): Effect.Effect<A | { readonly state: ConsoleFormState }, E | Problem, R> =>
  Effect.catchIf(
    asking,
    (failure): failure is Extract<E | Problem, Problem> =>
      isProblem(failure) &&
      statusOf(failure.errors[0].code) < pageStatus.internal &&
      !ownPage.has(statusOf(failure.errors[0].code)),
    ({ errors }) => Effect.succeed({ state: { typed, errors } })
  )

export const isProblem = (failure: unknown): failure is Problem =>
  typeof failure === "object" && failure !== null && "_tag" in failure && failure._tag === "Problem"
