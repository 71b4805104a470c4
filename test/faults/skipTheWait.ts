/** Makes every attempt that a dead service left unfinished due now; by itself it would be made again after half a minute and more. */
import { queryDirectly } from "../support/directly.ts"

/** For a database that no service works on. */
export const skipTheWait = (databaseUrl: string) =>
  queryDirectly(
    databaseUrl,
    `update journeys set wake_at = now(), state = jsonb_set(state::jsonb, '{owed}', (
       select jsonb_agg(one || '{"dueAt": 0}' order by at)
       from jsonb_array_elements(state::jsonb -> 'owed') with ordinality as each (one, at)
     ))::json
     where status = 'ACTIVE' and jsonb_array_length(state::jsonb -> 'owed') > 0`,
    []
  )
