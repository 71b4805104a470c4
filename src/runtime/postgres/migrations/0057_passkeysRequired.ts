/** A company may demand that its members sign in with a passkey. */
export const sql = `
alter table companies add column passkeys_required boolean not null default false;
`
