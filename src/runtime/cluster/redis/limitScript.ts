/**
 * The rate limit of one bucket as Redis keeps it, in one atomic step by Redis' own clock: a list of the times of admitted
 * requests in milliseconds, oldest first. It holds at most as many as the limit, about ten bytes each, and is gone when
 * the newest leaves the span.
 */

/** Old times are dropped so many at once. */
const droppedAtOnce = 64

/**
 * KEYS times; ARGV limit, milliseconds of the span, whether to count. Answers whether it is admitted, how many are
 * counted, and in how many milliseconds the oldest of them leaves the span.
 *
 * A clock that steps back stands still for this bucket until it is where it was; one that steps back further than a span
 * would lock callers out, and the bucket begins anew.
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
