/** A page of a list: how it is asked for, and what is found. The form of the request's query is in `parameters.ts`. */

/** Pages count from 0. */
export interface PageRequest {
  readonly page: number
  readonly size: number
}

/** The entries of one page, in the order of the list, with the exact number of all entries. */
export interface PageOf<A> {
  readonly content: ReadonlyArray<A>
  readonly totalElements: number
}
