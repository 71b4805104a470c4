/**
 * A list of the API, read page by page or entry by entry. A page says itself how it goes on: by `next`, which is null at
 * the end, or by its number. Events always have a `next`; their end is where `next` no longer moves.
 */
import { clientLimits } from "./limits.ts"
import { sleep } from "./Transport.ts"

/** What of a page leads to the next one. */
export interface AnyPage {
  readonly content: ReadonlyArray<unknown>
  readonly next?: string | null
  readonly page?: number
  readonly totalPages?: number
}

/** How a query asks for the page after a place. */
export interface ListTurn {
  readonly after?: string | undefined
  readonly cursor?: string | undefined
  readonly page?: number | undefined
}

export type EntryOf<Page extends AnyPage> = Page["content"][number]

interface ListingOptions<Page> {
  readonly ask: (turn: ListTurn) => Promise<Page>
  /** Where the caller begins. */
  readonly from: ListTurn
  /** The parameter that takes `next`. */
  readonly by: "after" | "cursor"
  readonly signal: AbortSignal | undefined
}

export class Listing<Page extends AnyPage> implements AsyncIterable<EntryOf<Page>> {
  readonly #options: ListingOptions<Page>

  constructor(options: ListingOptions<Page>) {
    this.#options = options
  }

  /** The one page that the query asks for. */
  page(): Promise<Page> {
    return this.#options.ask({})
  }

  /** This page and all that follow. */
  async *pages(): AsyncGenerator<Page, void, undefined> {
    let turn: ListTurn | null = this.#options.from
    while (turn !== null) {
      const page: Page = await this.#options.ask(turn)
      yield page
      turn = this.#turnAfter(page, turn)
    }
  }

  /** Every entry from here to the end. */
  async *[Symbol.asyncIterator](): AsyncGenerator<EntryOf<Page>, void, undefined> {
    for await (const page of this.pages()) yield* page.content as ReadonlyArray<EntryOf<Page>>
  }

  #turnAfter(page: AnyPage, before: ListTurn): ListTurn | null {
    const { by } = this.#options
    if (page.next !== undefined)
      return page.next === null || page.next === before[by] ? null : { page: undefined, [by]: page.next }
    const number = page.page ?? 0
    return page.content.length === 0 || number + 1 >= (page.totalPages ?? 0) ? null : { page: number + 1 }
  }

  protected get options(): ListingOptions<Page> {
    return this.#options
  }
}

/** A list that has no end yet: what happens later comes behind what is there. */
export class FollowedListing<Page extends AnyPage & { readonly next: string }> extends Listing<Page> {
  /**
   * The pages there are, and then those to come, until the signal of the call aborts. Keep `next` of a page whose entries
   * you have dealt with, and go on there after a restart.
   */
  async *follow(): AsyncGenerator<Page, never, undefined> {
    const { ask, by, from, signal } = this.options
    for (let turn = from; ;) {
      const page = await ask(turn)
      if (page.content.length > 0) yield page
      if (page.next === turn[by] || page.content.length === 0) await sleep(clientLimits.betweenLooksMillis, signal)
      turn = { [by]: page.next }
    }
  }
}
