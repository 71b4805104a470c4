/**
 * The transition table as a page of the documents: a Mermaid state diagram for each region and, when asked for, the rows as
 * Markdown tables. Pure text, made from `TABLE` and `messageRules` alone.
 */
import { STEPS } from "../../../../schema/journey/steps.ts"
import type { Refusal } from "../state/step.ts"
import { messageRules, type CallerRule, type ServiceRule } from "./messageRules.ts"
import type { Guard, Region, Row } from "./row.ts"
import { TABLE } from "./table.ts"

const regions: Readonly<Record<Region, { readonly title: string; readonly about: string }>> = {
  journey: { title: "Journey", about: "Whether the journey runs, and how it ended." },
  finance: { title: "Finance", about: "Only on FINANCE_IDENTITY_DELIVERY journeys." },
  identity: {
    title: "Identity check",
    about: "On every journey but a FINANCE_SALE. On a cash sale `delivery.status` shows it."
  },
  handover: { title: "Handover", about: "On every journey; callers see it as `delivery`." }
}

const regionNames = Object.keys(regions) as ReadonlyArray<Region>

/** The whole page; with `tables`, the rows too. */
export const statesPage = ({ tables }: { readonly tables: boolean }): string =>
  [
    "# States of a journey",
    "",
    "Printed by `npm run journeys -- diagram --table` from the table that the service runs. Do not edit this page by hand.",
    "",
    "A name in capitals after an arrow is a status. A name such as `VideoMatched` is a message to the journey; a name in small",
    "letters, such as `gate opened`, is a move that another row raises. What stands in brackets must hold. NONE: the region does not",
    "exist yet. Of several rows that fit, the first one is taken.",
    ...(tables ? columnLines : []),
    ...regionNames.flatMap((region) => regionLines(region, tables)),
    ...(tables ? [...messageLines(), ...stepLines()] : []),
    ""
  ].join("\n")

const columnLines = [
  "",
  "A table has a line for each move. `first` and `then` are other moves that it raises: the events of `first` are told before its own,",
  "those of `then` after them. `work begun` is work that the service must do from then on, such as a request to a provider; `work over`",
  "is work that is done, or that no longer matters. `same`: the status stays. `retry`: the mail is worded for a step that was tried before."
]

const regionLines = (region: Region, tables: boolean): ReadonlyArray<string> => {
  const rows = TABLE.filter((row) => row.region === region)
  const { about, title } = regions[region]
  return [
    `\n## ${title}\n\n${about}\n`,
    "```mermaid\nstateDiagram-v2",
    ...diagramOf(rows).map((line) => `  ${line}`),
    "```",
    ...(tables ? ["", ...tableOf(rowColumns, rows)] : [])
  ]
}

const diagramOf = (rows: ReadonlyArray<Row>): ReadonlyArray<string> => {
  const from = new Set<string>(rows.flatMap((row): ReadonlyArray<string> => row.from))
  const to = new Set<string>(rows.flatMap((row) => row.to ?? []))
  const first = [...from].filter((status) => status === "NONE" || !to.has(status)).slice(0, 1)
  const last = [...to].filter((status) => !from.has(status))
  return [
    ...first.map((status) => `[*] --> ${status}`),
    ...rows.flatMap((row) => row.from.map((status) => `${status} --> ${row.to ?? status}: ${labelOf(row)}`)),
    ...last.map((status) => `${status} --> [*]`)
  ]
}

const labelOf = ({ on, when = [] }: Row): string =>
  [on.join(", "), ...(when.length === 0 ? [] : [`[${when.map(wordsOf).join(", ")}]`])].join(" ")

/** `isHomeDelivery` as "home delivery". */
const wordsOf = (guard: Guard): string =>
  guard.name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`).replace(/^is /, "")

type Columns<A> = ReadonlyArray<readonly [title: string, cell: (one: A) => string]>

const tableOf = <A>(columns: Columns<A>, rows: ReadonlyArray<A>): ReadonlyArray<string> => [
  `| ${columns.map(([title]) => title).join(" | ")} |`,
  `|${columns.map(() => "---").join("|")}|`,
  ...rows.map((row) => `| ${columns.map(([, cell]) => cell(row) || "–").join(" | ")} |`)
]

const list = (names: ReadonlyArray<string> = []): string => names.join(", ")

const rowColumns: Columns<Row> = [
  ["from", (row) => list(row.from)],
  ["on", (row) => list(row.on)],
  ["when", ({ when = [] }) => list(when.map(wordsOf))],
  ["first", (row) => list(row.before)],
  ["to", (row) => row.to ?? "same"],
  ["events", (row) => list(row.events)],
  ["mails", ({ again, mails = [] }) => list(mails.map((kind) => (again === true ? `${kind} (retry)` : kind)))],
  ["work begun", (row) => list(row.effects)],
  ["work over", (row) => list(row.effectsOver)],
  ["then", (row) => list(row.after)]
]

type MessageRow = readonly [message: string, rule: CallerRule | ServiceRule]

const messageLines = (): ReadonlyArray<string> => [
  "\n## Messages\n\nWhat the sender hears when a message is not allowed, or when no row fits it.\n",
  ...tableOf<MessageRow>(
    [
      ["message", ([message]) => message],
      ["sender", ([, { sender }]) => sender],
      ["allowed when", ([, rule]) => ("allowedWhen" in rule && rule.allowedWhen ? wordsOf(rule.allowedWhen) : "")],
      [
        "refused when",
        ([, { refusedWhen = [] }]) =>
          refusedWhen.map(([guard, refusal]) => `${wordsOf(guard)}: ${heard(refusal)}`).join("; ")
      ],
      ["otherwise", ([, { otherwise }]) => heard(otherwise)]
    ],
    Object.entries(messageRules)
  )
]

const heard = (refusal: Refusal): string => (refusal._tag === "Rejected" ? refusal.code : refusal.reason)

const stepLines = (): ReadonlyArray<string> => [
  "\n## Whose turn it is\n",
  "The customer's steps, and whose turn each is in every status. Any other name in the last column is a review by the",
  "company's team.\n",
  ...tableOf(
    [
      ["step", ({ step }) => step],
      ["status", ({ status }) => status],
      ["turn", ({ turn }) => turn]
    ],
    Object.entries(STEPS).flatMap(([step, { turns }]) =>
      Object.entries(turns).map(([status, turn]: readonly [string, string]) => ({ step, status, turn }))
    )
  )
]
