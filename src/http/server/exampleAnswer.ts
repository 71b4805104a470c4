/** What the tables of examples are made of: an example with its summary, and an answer with its examples. */
import { firstPage, usualPageSize } from "../../schema/parameters.ts"

export interface Example {
  readonly summary: string
  readonly value: unknown
}

export type Examples = Readonly<Record<string, Example>>

export interface Answer {
  readonly description: string
  readonly examples: Examples
}

/** By operation id and status. */
export type Answers = Readonly<Record<string, Readonly<Record<number, Answer>>>>

/** By operation id and content type. */
export type Requests = Readonly<Record<string, Readonly<Record<string, Examples>>>>

/** A success in the envelope. */
export const answered = (summary: string, message: string, data: unknown): Example => ({
  summary,
  value: { success: true, data, message, errors: null }
})

/** A first page that holds all there is. */
export const pageOf = <A>(content: ReadonlyArray<A>) => ({
  content,
  page: firstPage,
  size: usualPageSize,
  totalElements: content.length,
  totalPages: 1
})
