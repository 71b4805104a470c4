/** The decoding of rows without a database: what a column becomes, and what is refused. */
import { Effect, Schema } from "effect"
import { describe, expect, it } from "vitest"
import { column, columnName, rowModel, UnexpectedColumn } from "../../../src/runtime/postgres/rows.ts"

const Status = Schema.Literals(["OPEN", "CLOSED"])

const Everything = rowModel({
  id: column.text,
  isLive: column.bool,
  tries: column.number,
  size: column.wholeNumber,
  line: column.digits,
  createdAt: column.millis,
  sealedNote: column.orNull(column.bytes),
  state: column.json,
  status: column.oneOf(Status),
  types: column.listOf(column.oneOf(Status)),
  settings: column.ofSchema(Schema.Struct({ pace: Schema.Int }))
})

const row = {
  id: "a",
  is_live: true,
  tries: 2,
  size: 3n,
  line: 9_007_199_254_740_993n,
  created_at: new Date(5),
  sealed_note: null,
  state: { any: "thing" },
  status: "OPEN",
  types: ["CLOSED", "OPEN"],
  settings: { pace: 1 }
}

describe("a row model", () => {
  it("gives each field what its column holds, under the model's name", () => {
    expect(Everything.decodeRow(row)).toEqual({
      id: "a",
      isLive: true,
      tries: 2,
      size: 3,
      line: "9007199254740993",
      createdAt: 5,
      sealedNote: null,
      state: { any: "thing" },
      status: "OPEN",
      types: ["CLOSED", "OPEN"],
      settings: { pace: 1 }
    })
  })

  it.each([
    ["id", 1],
    ["id", null],
    ["is_live", "true"],
    ["tries", 2n],
    ["tries", "2"],
    ["size", 3],
    ["size", "3"],
    ["size", 9_007_199_254_740_993n],
    ["line", 1],
    ["created_at", "2026-01-01"],
    ["sealed_note", "text"],
    ["sealed_note", undefined],
    ["state", undefined],
    ["status", "AJAR"],
    ["types", "OPEN"],
    ["types", ["OPEN", "AJAR"]],
    ["settings", { pace: "slow" }]
  ])("refuses column %s that holds %o", (name, value) => {
    expect(() => Everything.decodeRow({ ...row, [name]: value })).toThrow(UnexpectedColumn)
    expect(() => Everything.decodeRow({ ...row, [name]: value })).toThrow(`column ${name}: `)
  })

  it("names the column of a value that it refuses, never the value", () => {
    const secret = "ada@example.com"
    expect(() => Everything.decodeRow({ ...row, status: secret })).not.toThrow(secret)
    expect(() => Everything.decodeRow({ ...row, settings: { pace: secret } })).not.toThrow(secret)
  })

  it("answers with the first row of a statement, or null", async () => {
    const Id = rowModel({ id: column.text })
    expect(await Effect.runPromise(Id.first(Effect.succeed([{ id: "a" }, { id: "b" }])))).toEqual({ id: "a" })
    expect(await Effect.runPromise(Id.first(Effect.succeed([])))).toBe(null)
    expect(await Effect.runPromise(Id.all(Effect.succeed([{ id: "a" }, { id: "b" }])))).toHaveLength(2)
  })
})

it("a column is named like its field, in snake case", () => {
  expect(["id", "createdAt", "last4", "sealedPreviousSecret"].map(columnName)).toEqual([
    "id",
    "created_at",
    "last4",
    "sealed_previous_secret"
  ])
})
