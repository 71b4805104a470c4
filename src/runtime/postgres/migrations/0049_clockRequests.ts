/** What a clock of the sandbox was asked for with, as a keyed hash: a repeated request is told from another one with the same key. */
export const sql = `
alter table sandbox_clocks add column fingerprint text;
`
