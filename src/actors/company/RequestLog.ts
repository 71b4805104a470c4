/**
 * The port to the log of callers' requests, 30 days of them. A line is noted in memory, without waiting, and written with others a
 * moment later: the log never holds a request up, and a node that dies loses the lines of its last second. Lines beyond what the memory
 * keeps are dropped, counted and reported in the service's own log.
 */
import { Context, type Effect } from "effect"
import type { ApiKeyId, CompanyId, JourneyId } from "../../schema/ids.ts"
import type { PieceOf, PieceRequest } from "../../schema/page.ts"
import type { Scope } from "../kernel/Scope.ts"
import type { StoreUnavailable } from "../kernel/StoreError.ts"

export interface RequestLine {
  readonly requestId: string
  readonly at: number
  readonly companyId: CompanyId
  readonly livemode: boolean
  readonly keyId: ApiKeyId
  readonly route: string
  /** Null: the connection was dropped. */
  readonly status: number | null
  readonly code: string | null
  readonly fields: ReadonlyArray<string>
  readonly durationMillis: number
  readonly journeyId: string | null
  readonly isReplay: boolean
}

export interface RequestFilter {
  readonly code: string | null
  readonly keyId: ApiKeyId | null
  readonly journeyId: JourneyId | null
  readonly method: string | null
  /** Null: refused or not. */
  readonly isRefused: boolean | null
}

/** Refusals by code, the most frequent first. */
export interface RequestErrors {
  readonly since: number
  readonly errors: ReadonlyArray<{
    readonly code: string
    readonly count: number
    readonly lastAt: number
    readonly lastKeyId: ApiKeyId
  }>
}

export class RequestLog extends Context.Service<
  RequestLog,
  {
    readonly note: (line: RequestLine) => void
    /** Newest first. A piece may hold less than was asked for, or nothing, and still be followed by others. */
    readonly list: (
      scope: Scope,
      filter: RequestFilter,
      piece: PieceRequest
    ) => Effect.Effect<PieceOf<RequestLine>, StoreUnavailable>
    /** Of the time that is counted (`requestLogLimits`), or of less where there were more requests than one look counts. */
    readonly errors: (scope: Scope) => Effect.Effect<RequestErrors, StoreUnavailable>
  }
>()("journeys/actors/RequestLog") {}
