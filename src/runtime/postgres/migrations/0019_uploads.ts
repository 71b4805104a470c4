/**
 * Uploads of photos beside uploads of videos. The tables keep their names: a node of the version before, which runs for a while
 * beside the new one, knows videos only.
 */
export const sql = `
-- medium: what is uploaded. A journey has at most one open and one finished upload of each.
alter table video_uploads add column medium text not null default 'VIDEO'
  check (medium in ('VIDEO', 'DOCUMENT_PHOTO', 'SELFIE'));
alter table video_uploads drop constraint video_uploads_kind_check;
alter table video_uploads add constraint video_uploads_kind_check
  check (kind in ('MP4', 'WEBM') and medium = 'VIDEO' or kind in ('JPEG', 'PNG') and medium <> 'VIDEO');
drop index video_uploads_open;
drop index video_uploads_complete;
create unique index video_uploads_open on video_uploads (journey_id, medium) where completed_at is null;
create unique index video_uploads_complete on video_uploads (journey_id, medium) where completed_at is not null;
`
