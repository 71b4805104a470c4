/**
 * What callers were told, for the checker to hold against the database: every start with all that was heard of it, and
 * every operation that was acknowledged.
 */

export interface Start {
  readonly key: string
  readonly body: unknown
  /** The body of the acknowledged journey; null while nobody has said yes. */
  acknowledged: { readonly id: string; readonly createdAt: string; readonly type: string } | null
  /** Answers 503, each of which promises that nothing was created by then. */
  refusals: number
  /** A connection that was dropped promises nothing. */
  drops: number
  /** Given up after its last answer; no twin of it is under way. */
  isAbandoned: boolean
}

export interface Operation {
  readonly journeyId: string
  readonly kind: "cancel" | "decision"
  readonly key: string
}

export class ClientLog {
  readonly starts: Array<Start> = []
  readonly done: Array<Operation> = []
  /** Answers nobody may get, in words. */
  readonly wrongs: Array<string> = []
  answers = 0
  refusals = 0
  /** Connections that ended, or callers whose patience did, after the request was sent. */
  drops = 0
  /** Connections nobody took. */
  unreachable = 0
}
