/**
 * Since when a company is on or off, and since when an API key may do less than before: fewer scopes or addresses, an earlier end, or
 * nothing at all. The journal of what has ended names these times, as it does those of `0051_since.ts`.
 */
import { since } from "./0051_since.ts"

export const sql = `
${since("companies", "active", "active_since")}

alter table api_keys add column narrowed_since timestamptz;
create function note_api_keys_narrowed_since() returns trigger language plpgsql as $$
begin
  new.narrowed_since := greatest(old.narrowed_since + interval '1 millisecond', date_trunc('milliseconds', clock_timestamp()));
  return new;
end $$;
create trigger api_keys_narrowed_since_is_noted before update of scopes, developer, expires_at, addresses on api_keys
  for each row when (
    not new.scopes @> old.scopes
    or old.developer and not new.developer
    or coalesce(new.expires_at, 'infinity') < coalesce(old.expires_at, 'infinity')
    -- No address means every address.
    or new.addresses <> '{}' and (old.addresses = '{}' or not new.addresses @> old.addresses)
  ) execute function note_api_keys_narrowed_since();
`
