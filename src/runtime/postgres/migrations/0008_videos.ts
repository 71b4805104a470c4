/**
 * The videos that customers make of the handover and upload in parts. Each part is sealed with the customer's key when it
 * arrives. Only numbers and times stand beside the parts in the clear. An upload that is removed takes its parts along.
 */
export const sql = `
-- bytes: of all parts, before they were sealed. kind is what its first bytes said; seconds what it lasts, when that is known.
create table video_uploads (
  id uuid primary key,
  journey_id uuid not null,
  customer_id uuid not null,
  kind text check (kind in ('MP4', 'WEBM')),
  bytes bigint not null default 0,
  chunks integer not null default 0,
  seconds double precision,
  begun_at timestamptz not null,
  completed_at timestamptz,
  check (completed_at is null or kind is not null)
);
-- A journey has at most one upload under way and one finished video.
create unique index video_uploads_open on video_uploads (journey_id) where completed_at is null;
create unique index video_uploads_complete on video_uploads (journey_id) where completed_at is not null;
create index video_uploads_unfinished on video_uploads (begun_at) where completed_at is null;
create index video_uploads_kept on video_uploads (completed_at) where completed_at is not null;
create index video_uploads_of_customer on video_uploads (customer_id);

-- digest: a keyed hash of the part, so that sending it again is known for what it is.
create table video_chunks (
  upload_id uuid not null references video_uploads (id) on delete cascade,
  number integer not null check (number >= 0),
  digest bytea not null,
  bytes integer not null check (bytes > 0),
  sealed bytea not null,
  primary key (upload_id, number)
);
-- A video is compressed and then encrypted: PostgreSQL need not try to compress it again.
alter table video_chunks alter column sealed set storage external;
`
