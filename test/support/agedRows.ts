/** The statement that removes a table's rows by their age. */
import { agedRows, removeAgedStatement } from "../../src/runtime/work/agedRows.ts"

export const removeAgedFrom = (table: string): string => {
  const rows = agedRows.find((one) => one.table === table)
  if (rows === undefined) throw new Error(`rows of ${table} do not go by their age`)
  return removeAgedStatement(rows)
}
