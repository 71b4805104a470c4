/**
 * The scripts for wake-ups and leadership, each of which Redis runs as one atomic step by its own clock. Nodes say in how
 * many milliseconds something is due, so that their clocks need not agree with the clock of Redis.
 *
 * | key       | holds                                                                                       |
 * |-----------|---------------------------------------------------------------------------------------------|
 * | `due`     | sorted set: journey -> when it is to be woken, in epoch milliseconds                         |
 * | `claimed` | sorted set: journey -> when the claim of the node that wakes it now ends                      |
 * | `watch`   | string: the node that leads; it ends by itself|
 *
 * A journey can be in both sets: it is being woken and already has its next alarm.
 */

const now = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
`

/** KEYS due; ARGV journey and milliseconds from now in turn. */
export const announceScript = `${now}
for i = 1, #ARGV, 2 do redis.call('ZADD', KEYS[1], now + ARGV[i + 1], ARGV[i]) end
return #ARGV / 2`

/** KEYS due, claimed; ARGV journeys that are overdue. A journey that is claimed or announced stays as it is. */
export const remindScript = `${now}
for i = 1, #ARGV do
  if not redis.call('ZSCORE', KEYS[2], ARGV[i]) then redis.call('ZADD', KEYS[1], 'NX', now, ARGV[i]) end
end
return #ARGV`

/**
 * KEYS due, claimed; ARGV how many at most, milliseconds that a claim lasts, journeys whose wake-up has ended. Answers in how
 * many milliseconds the next journey is due, -1 for none, and the journeys that the caller must wake now. Journeys whose claim
 * ran out, because their node died, come first.
 */
export const claimScript = `${now}
for i = 3, #ARGV do redis.call('ZREM', KEYS[2], ARGV[i]) end
local most = tonumber(ARGV[1])
local mine = redis.call('ZRANGEBYSCORE', KEYS[2], '-inf', now, 'LIMIT', 0, most)
local due = redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', now, 'LIMIT', 0, most - #mine)
for _, journey in ipairs(due) do
  redis.call('ZREM', KEYS[1], journey)
  mine[#mine + 1] = journey
end
for _, journey in ipairs(mine) do redis.call('ZADD', KEYS[2], now + ARGV[2], journey) end
local next = redis.call('ZRANGE', KEYS[1], 0, 0, 'WITHSCORES')
return { next[2] and math.max(0, math.ceil(next[2] - now)) or -1, unpack(mine) }`

/** KEYS watch; ARGV node, milliseconds. Answers whether the node leads. */
export const leadScript = `
local holder = redis.call('GET', KEYS[1])
if holder and holder ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return 1`

/** KEYS watch; ARGV node. */
export const stepDownScript = `
if redis.call('GET', KEYS[1]) == ARGV[1] then redis.call('DEL', KEYS[1]) end
return 0`
