/**
 * The frames of a handover video that were compared, kept sealed beside the video with what the comparison saw in each. They go
 * with their video, whoever removes it. A video of before has none: they are taken at the first look.
 */
export const sql = `
-- frames_at: when frames were taken; null while nobody has taken any. reference: the photo that they were compared with.
alter table video_uploads
  add column frames_at timestamptz,
  add column reference_name text check (reference_name in ('customer-photo', 'selfie', 'portrait')),
  add column reference_of uuid,
  add constraint video_uploads_reference_check check ((reference_name is null) = (reference_of is null));
create table video_frames (
  upload_id uuid not null references video_uploads (id) on delete cascade,
  number integer not null check (number > 0),
  at_millis integer not null check (at_millis >= 0),
  outcome text not null
    check (outcome in ('SAME', 'UNCLEAR', 'DIFFERENT', 'NO_FACE', 'SEVERAL_FACES', 'NOT_COMPARED')),
  similarity double precision,
  sealed bytea not null,
  primary key (upload_id, number)
);
-- A frame is compressed and then encrypted: PostgreSQL need not try to compress it again.
alter table video_frames alter column sealed set storage external;
`
