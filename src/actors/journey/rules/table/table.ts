/**
 * The journey's state machine: every row of every region. `../run.ts` runs these rows; `npm run journeys -- diagram` draws
 * them, and `docs/states.md` shows them. Who may send a message, and what the sender hears when no row fits, is in
 * `messageRules.ts`.
 */
import { financeRows } from "./financeRows.ts"
import { handoverRows } from "./handoverRows.ts"
import { identityRows } from "./identityRows.ts"
import { journeyRows } from "./journeyRows.ts"
import type { Row } from "./row.ts"

export const TABLE: ReadonlyArray<Row> = [...financeRows, ...identityRows, ...handoverRows, ...journeyRows]
