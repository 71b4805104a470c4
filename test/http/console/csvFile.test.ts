import { expect, it } from "vitest"
import { csvOf, fileName } from "../../../src/http/console/frame/csvFile.ts"

it("writes a head and a line for each entry, with the columns that were asked for", () => {
  const lines = [
    { at: "2026-01-15T10:31:07.218Z", amount: -1, note: "Identity check", isTest: false },
    { amount: 100, note: null }
  ]
  expect(csvOf(["at", "amount", "note", "isTest"], lines)).toBe(
    "at,amount,note,isTest\r\n2026-01-15T10:31:07.218Z,-1,Identity check,false\r\n,100,,\r\n"
  )
})

it("keeps a text with commas, quotation marks and lines of its own one cell", () => {
  expect(csvOf(["note"], [{ note: 'He said "two,\nor three"' }])).toBe('note\r\n"He said ""two,\nor three"""\r\n')
})

it("writes what has members of its own as JSON", () => {
  expect(csvOf(["details"], [{ details: { wallet: "IDENTITY", amount: 5 } }])).toBe(
    'details\r\n"{""wallet"":""IDENTITY"",""amount"":5}"\r\n'
  )
})

it.each(["=1+1", "+1", "-1", "@SUM(A1)", "\tx", "＝1"])("keeps a spreadsheet from computing the text %j", (note) => {
  expect(csvOf(["note"], [{ note }])).toBe(`note\r\n'${note}\r\n`)
})

it.each([
  ["x;=1+1;y", "x;'=1+1;y"],
  ["x;+1", "x;'+1"],
  ["x\t@SUM(A1)", "x\t'@SUM(A1)"],
  ["=1;=2", "'=1;'=2"],
  ["x\n=1+1", '"x\n\'=1+1"'],
  ['x;"=1+1;y', `"x;""'=1+1;y"`],
  ['x\t""@SUM(A1)', `"x\t""""'@SUM(A1)"`],
  ['x\n"-1', `"x\n""'-1"`],
  ["a=b; c-d", "a=b; c-d"],
  ['a "=b"', '"a ""=b"""']
])("keeps a spreadsheet that divides lines elsewhere than at commas from computing a part of %j", (note, cell) => {
  expect(csvOf(["note"], [{ note }])).toBe(`note\r\n${cell}\r\n`)
})

it("names the file by words and days, without what was not given", () => {
  expect(fileName(["ledger", "identity checks", "2026-01-01", ""])).toBe("ledger-identity-checks-2026-01-01")
  expect(fileName(["audit", "", '2026"\r\nx'])).toBe("audit-2026-x")
})
