/**
 * The journeys that had ended before the database noted it, where photos or videos of them are kept. It is a migration of its own: while
 * it reads what is kept, journeys are written as always, and those that end meanwhile are noted.
 */
export const sql = `
insert into ended_journeys (company_id, ended_at, journey_id)
select j.company_id, j.ended_at, j.id from (
  select journey_id from customer_photos
  union select journey_id from identity_attempts
  where sealed_document is not null or sealed_selfie is not null or sealed_prints is not null
  union select journey_id from provider_results where sealed_portrait is not null or sealed_review_url is not null
  union select journey_id from video_uploads
) p join journeys j on j.id = p.journey_id
where j.ended_at is not null
on conflict do nothing;

-- Only the statement that read all that is kept used it.
drop index identity_attempts_with_photos;

-- A photo waits a day for its check at most: those are few, and videos, which are kept for long, are not among them.
create index video_uploads_photos on video_uploads (completed_at) where completed_at is not null and medium <> 'VIDEO';
drop index video_uploads_kept;
`
