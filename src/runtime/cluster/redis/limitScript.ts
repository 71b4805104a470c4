/**
 * The script for the rate limit of one bucket, which Redis runs as one atomic step by its own clock. The bucket is a list of
 * the times of admitted requests in milliseconds, oldest first. It holds at most as many times as the limit, about ten bytes
 * each, and expires when the newest time leaves the span.
 */

/** Old times that are dropped at once. */
const droppedAtOnce = 64

/**
 * KEYS times; ARGV limit, milliseconds of the span, whether to count. Answers whether the request is admitted, how many
 * requests are counted, and in how many milliseconds the oldest of them leaves the span.
 *
 * When Redis' clock steps back, time stands still for the bucket until the clock is where it was. When the clock steps back
 * further than a span, that would lock callers out, so the bucket begins anew.
 */
export const askScript = `
local limit, span = tonumber(ARGV[1]), tonumber(ARGV[2])
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)

local newest = tonumber(redis.call('LINDEX', KEYS[1], -1) or 0)
if newest > now + span then redis.call('DEL', KEYS[1])
elseif newest > now then now = newest end

local oldest = tonumber(redis.call('LINDEX', KEYS[1], 0) or now)
while oldest <= now - span do
  local times = redis.call('LRANGE', KEYS[1], 0, ${droppedAtOnce - 1})
  local old = 0
  while old < #times and tonumber(times[old + 1]) <= now - span do old = old + 1 end
  redis.call('LPOP', KEYS[1], old)
  oldest = tonumber(redis.call('LINDEX', KEYS[1], 0) or now)
end

local count = redis.call('LLEN', KEYS[1])
local admitted = count < limit
if admitted and ARGV[3] == '1' then
  redis.call('RPUSH', KEYS[1], string.format('%.0f', now))
  redis.call('PEXPIRE', KEYS[1], span)
  count = count + 1
end
return { admitted and 1 or 0, count, count > 0 and oldest + span - now or 0 }`
