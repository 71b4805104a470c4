/**
 * The turns of the head that customers are asked for in their handover videos, and what the frames of a video showed of them. Nobody is
 * known by them: they stand in the clear. A video of before has none.
 */
export const sql = `
-- turns: LEFT and RIGHT in their order, with commas between them. used_at: when a video was finished that named it.
create table video_challenges (
  journey_id uuid primary key,
  id uuid not null,
  turns text not null,
  asked_at timestamptz not null,
  used_at timestamptz
);
create index video_challenges_old on video_challenges (asked_at);
alter table video_uploads
  add column challenge_id uuid,
  add column turns_asked text,
  add column turns_seen text,
  add column turns_outcome text check (turns_outcome in ('MET', 'OTHERS', 'NOT_SEEN'));
-- How far the head is turned, in a frame that was taken for its turns.
alter table video_frames add column turned double precision;
`
