/**
 * A page of a list: how it is asked for, and what is found. A list that can grow without end is read piece by piece from a
 * cursor instead, so that nobody counts it. The form of the request's query is in `decoding/parameters.ts`.
 */

import { listLimits } from "./limits.ts"

/** Pages count from 0. */
export interface PageRequest {
  readonly page: number
  readonly size: number
}

/** The number of all entries of a list. It is exact up to a bound; of a longer list it says the bound, and that there are more. */
export interface TotalOf {
  readonly totalElements: number
  readonly totalIsLowerBound?: true
}

/** The entries of one page, in the order of the list. Behind the bound of the total there are none. */
export interface PageOf<A> extends TotalOf {
  readonly content: ReadonlyArray<A>
}

/** What a list says of its number, of which no more was counted than one more than the bound. */
export const totalOf = (counted: number): TotalOf =>
  counted > listLimits.mostCounted
    ? { totalElements: listLimits.mostCounted, totalIsLowerBound: true }
    : { totalElements: counted }

/** A part of time in epoch milliseconds: from `since` on and before `until`; null has no bound. */
export interface TimeSpan {
  readonly since: number | null
  readonly until: number | null
}

/** Where a piece of a list begins: after what the piece before ended with, or at the beginning. */
export interface PieceRequest {
  readonly after: string | null
  readonly size: number
}

/** The entries of one piece. `next` is where the next piece begins; null when nothing follows. */
export interface PieceOf<A> {
  readonly content: ReadonlyArray<A>
  readonly next: string | null
}

/** A piece made of one entry more than was asked for: that entry says only that something follows. */
export const pieceOf = <A>(found: ReadonlyArray<A>, size: number, placeOf: (entry: A) => string): PieceOf<A> => {
  const content = found.slice(0, size)
  const last = content.at(-1)
  return { content, next: last !== undefined && found.length > size ? placeOf(last) : null }
}
