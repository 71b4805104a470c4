/** How long a company keeps the photos and videos of its customers after their journey's end. */
export const sql = `
alter table companies add column media_retention_days integer not null default 30
  check (media_retention_days between 1 and 365);

-- Photos that are kept, found without looking at every attempt there ever was.
create index identity_attempts_with_photos on identity_attempts (journey_id)
  where sealed_document is not null or sealed_selfie is not null;
-- Document photos, which are kept no longer than their check waits.
create index identity_attempts_documents on identity_attempts (at) where sealed_document is not null;
`
