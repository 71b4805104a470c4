/**
 * Holds when journey `j` of company `c` ended so long before $1 that its photos and videos are kept no longer: for every statement that
 * deletes them.
 */
export const mediaNotKept = `j.ended_at < $1::timestamptz - make_interval(days => c.media_retention_days)`
