/**
 * Photos of the built-in identity check. An attempt keeps the prints of its faces (small grey pictures, sealed), so that a
 * photo that was given before is known again; and an attempt may be refused because both photos are one picture.
 */
export const sql = `
alter table identity_attempts drop constraint identity_attempts_verdict_check;
alter table identity_attempts add constraint identity_attempts_verdict_check
  check (verdict in ('SAME', 'UNCLEAR', 'DIFFERENT', 'SAME_PICTURE', 'NO_FACE', 'NOT_JUDGED'));
alter table identity_attempts add column sealed_prints bytea;
alter table identity_attempts alter column sealed_prints set storage external;
drop index identity_attempts_with_photos;
create index identity_attempts_with_photos on identity_attempts (journey_id)
  where sealed_document is not null or sealed_selfie is not null or sealed_prints is not null;
`
