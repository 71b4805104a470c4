/**
 * Encryption keys that nodes were given and that none has sealed with, and since when: such a key is the one to come, or another has taken
 * its place.
 */
export const sql = `
create table encryption_keys_to_come (id text primary key, given_since timestamptz not null);
`
