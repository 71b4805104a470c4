/** Statements for many items without a database: one list of columns makes the text and the parameters. */
import { expect, it } from "vitest"
import { batchSource, batchStatement, eachItem } from "../../../src/runtime/postgres/batchStatement.ts"
import { arrayParameter } from "../../../src/runtime/postgres/parameters.ts"

interface Order {
  readonly id: string
  readonly at: number | null
  readonly lines: ReadonlyArray<{ readonly article: string; readonly credits: number }>
}

const statement = batchStatement(
  {
    orders: batchSource(eachItem<Order>, { id: ["text", ({ id }) => id], createdAt: ["timestamptz", ({ at }) => at] }),
    lines: batchSource((orders: ReadonlyArray<Order>) => orders.flatMap(({ lines }) => lines), {
      article: ["text", ({ article }) => article],
      credits: ["int8", ({ credits }) => credits]
    })
  },
  ({ lines, orders }) => `${lines} / ${orders}`
)

it("numbers the parameters in the order of the lists, wherever the text uses them", () => {
  expect(statement.text).toBe(
    "select * from unnest($3::text[], $4::int8[]) as t (article, credits) / " +
      "select * from unnest($1::text[], $2::timestamptz[]) as t (id, created_at)"
  )
})

it("sends one array for each column, with one value for each line", () => {
  const orders: ReadonlyArray<Order> = [
    { id: "a", at: 5, lines: [] },
    {
      id: "b",
      at: null,
      lines: [
        { article: "x", credits: 1 },
        { article: "y", credits: 2 }
      ]
    }
  ]
  expect(statement.parameters(orders)).toEqual([
    arrayParameter(["a", "b"], "text"),
    arrayParameter([new Date(5), null], "timestamptz"),
    arrayParameter(["x", "y"], "text"),
    arrayParameter([1n, 2n], "int8")
  ])
})
