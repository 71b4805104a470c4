/**
 * The second and third secret of before that sign beside an endpoint's present one: a secret that was rolled signs until its own end,
 * also when the next one is rolled meanwhile.
 */
export const sql = `
alter table webhook_endpoints
  add column sealed_previous_secret2 bytea, add column previous_until2 timestamptz,
  add column sealed_previous_secret3 bytea, add column previous_until3 timestamptz;
`
