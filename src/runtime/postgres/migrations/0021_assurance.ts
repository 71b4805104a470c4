/**
 * The least assurance that a company completes without a person, and the photos of a clear match that goes to a person all the
 * same, because it reached less or because the document names somebody else.
 */
export const sql = `
alter table companies add column assurance text not null default 'FACE_MATCH'
  check (assurance in ('FACE_MATCH', 'DOCUMENT', 'PROVIDER'));
-- The reviewer of a clear match looks at the document, too.
alter table identity_attempts drop constraint identity_attempts_check;
alter table identity_attempts add constraint identity_attempts_document_check
  check (sealed_document is null or verdict in ('UNCLEAR', 'SAME'));
`
