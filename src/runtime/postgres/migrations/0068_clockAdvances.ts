/**
 * The advances of test clocks that were asked for with an Idempotency-Key: a repeated request leads to the same time, also where the
 * request said how far instead of where to. The id follows from the clock and the key; what was asked for is kept as a keyed hash.
 */
export const sql = `
create table sandbox_clock_advances (
  clock_id uuid not null references sandbox_clocks (id) on delete cascade,
  id uuid not null,
  fingerprint text not null,
  target_at timestamptz not null,
  primary key (clock_id, id)
);
`
