/**
 * A place in the list of a company's stock, as callers hold it: the vehicle that a piece ended with, and when the vehicle had
 * last changed. A vehicle that changes meanwhile moves to the front, and the list goes on where it was. That the text says
 * this is nothing callers should count on.
 */
import { textParameter } from "../decoding/parameters.ts"
import { companyLimits } from "./limits.ts"

export interface StockPlace {
  readonly id: string
  /** A timestamp with microseconds, as the database has it. */
  readonly changedAt: string
}

const form = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{6}Z) (.+)$/s

export const stockCursor = ({ changedAt, id }: StockPlace): string =>
  Buffer.from(`${changedAt} ${id}`).toString("base64url")

/** Reads what `stockCursor` has written. Any other text gives null. */
export const readStockCursor = (text: string): StockPlace | null => {
  if (text.length > companyLimits.longestStockCursor) return null
  const [, changedAt = "", id = ""] = form.exec(Buffer.from(text, "base64url").toString()) ?? []
  return id !== "" && !Number.isNaN(Date.parse(changedAt)) && stockCursor({ changedAt, id }) === text
    ? { changedAt, id }
    : null
}

export const StockCursor = textParameter((text) =>
  readStockCursor(text) === null ? "must be `next` of an answer" : undefined
)
