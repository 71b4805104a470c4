/** Statements for many items without a database: one list of columns makes the text and the parameters. */
import { expect, it } from "vitest"
import {
  batchSource,
  batchStatement,
  batchStatementWithRare,
  eachItem
} from "../../../src/runtime/postgres/batchStatement.ts"
import { arrayParameter } from "../../../src/runtime/postgres/parameters.ts"

interface Order {
  readonly id: string
  readonly at: number | null
  readonly lines: ReadonlyArray<{ readonly article: string; readonly credits: number }>
}

const orders = batchSource(eachItem<Order>, {
  id: ["text", ({ id }) => id],
  createdAt: ["timestamptz", ({ at }) => at]
})
const lines = batchSource((many: ReadonlyArray<Order>) => many.flatMap(({ lines }) => lines), {
  article: ["text", ({ article }) => article],
  credits: ["int8", ({ credits }) => credits]
})

const withoutLines: Order = { id: "a", at: 5, lines: [] }
const withLines: Order = {
  id: "b",
  at: null,
  lines: [
    { article: "x", credits: 1 },
    { article: "y", credits: 2 }
  ]
}
const linesOfBoth = [arrayParameter(["x", "y"], "text"), arrayParameter([1n, 2n], "int8")]
const both = [arrayParameter(["a", "b"], "text"), arrayParameter([new Date(5), null], "timestamptz")]

const statement = batchStatement({ orders, lines }, (texts) => `${texts.lines} / ${texts.orders}`)

it("numbers the parameters in the order of the sources, wherever the text uses them", () => {
  for (const order of [withoutLines, withLines]) {
    expect(statement([order])[0]).toBe(
      "select * from unnest($3::text[], $4::int8[]) as t (article, credits) / " +
        "select * from unnest($1::text[], $2::timestamptz[]) as t (id, created_at)"
    )
  }
})

it("sends one array for each column, with one value for each line", () => {
  expect(statement([withoutLines, withLines])[1]).toEqual([...both, ...linesOfBoth])
})

it("is sent without its rare sources while no item has a line of them", () => {
  const withRare = batchStatementWithRare({ orders }, { lines }, (texts, rare) => `${texts.orders} / ${rare?.lines}`)
  const text = "select * from unnest($1::text[], $2::timestamptz[]) as t (id, created_at)"
  expect(withRare([withoutLines])).toEqual([
    `${text} / undefined`,
    [arrayParameter(["a"], "text"), arrayParameter([new Date(5)], "timestamptz")]
  ])
  expect(withRare([withoutLines, withLines])).toEqual([
    `${text} / select * from unnest($3::text[], $4::int8[]) as t (article, credits)`,
    [...both, ...linesOfBoth]
  ])
})
