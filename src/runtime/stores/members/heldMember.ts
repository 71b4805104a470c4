/**
 * A change that decides whether a session waits for a passkey. It holds the rows of the members first, and is a statement of its own after
 * that: it sees what whoever held them has written. So of a first passkey and a session of the same member at once, one sees the other.
 * Whoever writes both holds the member before the session, or two of them would wait for each other.
 */
import { Effect } from "effect"
import type { SqlClient } from "effect/sql"
import type { SqlError } from "effect/sql/SqlError"

interface MemberChange<A> {
  /** Selects the members $1 (and so on) to hold, as `m`. */
  readonly of: string
  readonly values: ReadonlyArray<unknown>
  readonly change: Effect.Effect<A, SqlError>
}

/** Of several members those with the smaller id come first, as in every statement that holds several. */
export const holdingMember = <A>(
  sql: SqlClient.SqlClient,
  { change, of, values }: MemberChange<A>
): Effect.Effect<A, SqlError> =>
  sql.withTransaction(
    Effect.andThen(sql.unsafe(`select from members m where ${of} order by m.id for no key update of m`, values), change)
  )
