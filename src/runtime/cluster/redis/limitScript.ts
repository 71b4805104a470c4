/**
 * The script for the rate limits that one node asks for at once, which Redis runs as one atomic step by its own clock. A bucket
 * is a list of the times of admitted requests in milliseconds, oldest first. It holds at most as many times as the limit, about
 * ten bytes each, and expires when the newest time leaves the span.
 */

/** Old times that are dropped at once. */
const droppedAtOnce = 64

/**
 * KEYS buckets; ARGV milliseconds of the span, then for each bucket the limit and how many requests to count. Answers for each
 * bucket how many requests were counted before, and in how many milliseconds the oldest leaves the span. Of the requests to
 * count, as many are counted as the limit has room for, and those who asked know who they are: the first ones.
 *
 * When Redis' clock steps back, time stands still for the bucket until the clock is where it was. When the clock steps back
 * further than a span, that would lock callers out, so the bucket begins anew.
 */
export const askScript = `
local span = tonumber(ARGV[1])
local time = redis.call('TIME')
local clock = time[1] * 1000 + math.floor(time[2] / 1000)
local answers = {}

for at, bucket in ipairs(KEYS) do
  local limit, asked = tonumber(ARGV[2 * at]), tonumber(ARGV[2 * at + 1])
  local now = clock

  local newest = tonumber(redis.call('LINDEX', bucket, -1) or 0)
  if newest > now + span then redis.call('DEL', bucket)
  elseif newest > now then now = newest end

  local oldest = tonumber(redis.call('LINDEX', bucket, 0) or now)
  while oldest <= now - span do
    local times = redis.call('LRANGE', bucket, 0, ${droppedAtOnce - 1})
    local old = 0
    while old < #times and tonumber(times[old + 1]) <= now - span do old = old + 1 end
    redis.call('LPOP', bucket, old)
    oldest = tonumber(redis.call('LINDEX', bucket, 0) or now)
  end

  local count = redis.call('LLEN', bucket)
  local times = {}
  for more = 1, math.min(asked, limit - count) do times[more] = string.format('%.0f', now) end
  if #times > 0 then
    redis.call('RPUSH', bucket, unpack(times))
    redis.call('PEXPIRE', bucket, span)
  end
  answers[2 * at - 1] = count
  answers[2 * at] = oldest + span - now
end
return answers`
