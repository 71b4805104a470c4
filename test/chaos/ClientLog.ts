/**
 * What callers were told, so that it can be compared with the database: every start with all its answers, and every
 * operation that was acknowledged.
 */

export interface Start {
  readonly key: string
  readonly body: unknown
  /** The body of the acknowledged journey; null until a start is acknowledged. */
  acknowledged: { readonly id: string; readonly createdAt: string; readonly type: string } | null
  /** The number of 503 answers. Each promises that nothing was created so far. */
  refusals: number
  /** A dropped connection promises nothing. */
  drops: number
  /** The caller gave up after its last answer, and no repetition of the start is under way. */
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
  /** Answers that nobody may get, in words. */
  readonly wrongs: Array<string> = []
  answers = 0
  refusals = 0
  /** Requests that were sent and got no answer, because the connection ended or the caller's time was up. */
  drops = 0
  /** Connections that nobody accepted. */
  unreachable = 0
}
