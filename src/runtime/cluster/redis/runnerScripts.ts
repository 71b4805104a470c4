/**
 * The scripts for the cluster, each of which Redis runs as one atomic step by its own clock: who the runners are, and which
 * runner holds a lease on which shard. An owner is one run of one process: an address and an incarnation.
 *
 * | key       | holds                                                                                         |
 * |-----------|-----------------------------------------------------------------------------------------------|
 * | `runners` | hash: address -> owner, machine id, health, description, since when, when the registration ends, and whether it is unfit or since when it is fit again |
 * | `leases`  | hash: shard -> owner, fencing number, and when the lease ends                                  |
 * | `fences`  | hash: shard -> the last fencing number given; it is never smaller than the time it was given at |
 *
 * A lease that has ended belongs to nobody: its last owner must acquire it like any other runner, under a new number. Emptying
 * Redis ends every lease and registration. New numbers are larger than the old ones all the same, because they follow time.
 */

import { Duration } from "effect"
import { fitnessLimits } from "../coordination/limits.ts"

const now = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
`

/**
 * Whether somebody can work: a runner that is healthy and not unfit, and has not become fit just now. Where nobody can, an unfit
 * runner keeps what it has: nobody could take it over.
 */
const others = `
local function works(entry)
  return entry.endsAt > now and entry.healthy and not entry.unfit and (entry.fitSince or 0) <= now - ${Duration.toMillis(fitnessLimits.settledAfter)}
end
local function somebodyWorks(all)
  for i = 2, #all, 2 do if works(cjson.decode(all[i])) then return true end end
  return false
end
`

/** A Snowflake has room for this many (10 bits). */
const machineIds = 1024

/** KEYS runners; ARGV address, owner, healthy, description, milliseconds. Answers a machine id that no other runner has. */
export const register = `${now}
local taken, mine, since = {}, nil, now
local all = redis.call('HGETALL', KEYS[1])
for i = 1, #all, 2 do
  local entry = cjson.decode(all[i + 1])
  if entry.owner == ARGV[2] then mine, since = entry.machineId, entry.since or now
  elseif all[i] ~= ARGV[1] then taken[entry.machineId] = true end
end
local id = mine or now % ${machineIds}
for _ = 1, ${machineIds} do
  if not taken[id] then break end
  id = (id + 1) % ${machineIds}
end
redis.call('HSET', KEYS[1], ARGV[1], cjson.encode({
  owner = ARGV[2], machineId = id, healthy = ARGV[3] == '1', runner = ARGV[4], since = since, endsAt = now + ARGV[5]
}))
return id`

/** KEYS runners; ARGV address, owner. A process that registered later at this address stays registered. */
export const unregister = `
local found = redis.call('HGET', KEYS[1], ARGV[1])
if found and cjson.decode(found).owner == ARGV[2] then redis.call('HDEL', KEYS[1], ARGV[1]) end
return 0`

/**
 * KEYS runners. Answers description and health of each runner in turn, and removes registrations that have ended. A runner that is
 * unfit counts as unhealthy while somebody can work.
 */
export const runners = `${now}${others}
local answer = {}
local all = redis.call('HGETALL', KEYS[1])
local instead = somebodyWorks(all)
for i = 1, #all, 2 do
  local entry = cjson.decode(all[i + 1])
  if entry.endsAt <= now then redis.call('HDEL', KEYS[1], all[i])
  else
    answer[#answer + 1] = entry.runner
    answer[#answer + 1] = entry.healthy and not (entry.unfit and instead) and '1' or '0'
  end
end
return answer`

/**
 * KEYS runners, leases. Answers for each runner its address, health, since when it is registered (0: not known) and the number
 * of its leases, in turn. It changes nothing. A registration of an earlier version does not say since when.
 */
export const overview = `${now}
local counts = {}
local leases = redis.call('HVALS', KEYS[2])
for i = 1, #leases do
  local lease = cjson.decode(leases[i])
  if lease.endsAt > now then counts[lease.owner] = (counts[lease.owner] or 0) + 1 end
end
local answer = {}
local all = redis.call('HGETALL', KEYS[1])
for i = 1, #all, 2 do
  local entry = cjson.decode(all[i + 1])
  if entry.endsAt > now then
    answer[#answer + 1] = all[i]
    answer[#answer + 1] = entry.healthy and not entry.unfit and 1 or 0
    answer[#answer + 1] = entry.since or 0
    answer[#answer + 1] = counts[entry.owner] or 0
  end
end
return answer`

/** KEYS runners; ARGV address, healthy. */
export const setHealth = `
local found = redis.call('HGET', KEYS[1], ARGV[1])
if not found then return 0 end
local entry = cjson.decode(found)
entry.healthy = ARGV[2] == '1'
redis.call('HSET', KEYS[1], ARGV[1], cjson.encode(entry))
return 1`

/** KEYS leases, fences; ARGV owner, milliseconds, shard... Answers shard and fencing number of each lease in turn. */
export const acquire = `${now}
local answer = {}
for i = 3, #ARGV do
  local shard = ARGV[i]
  local found = redis.call('HGET', KEYS[1], shard)
  local lease = found and cjson.decode(found)
  local lives = lease and lease.endsAt > now
  if not lives or lease.owner == ARGV[1] then
    local fence = lives and lease.fence
    if not fence then
      fence = math.max(tonumber(redis.call('HGET', KEYS[2], shard) or 0) + 1, now)
      redis.call('HSET', KEYS[2], shard, string.format('%.0f', fence))
    end
    redis.call('HSET', KEYS[1], shard, cjson.encode({ owner = ARGV[1], fence = fence, endsAt = now + ARGV[2] }))
    answer[#answer + 1] = shard
    answer[#answer + 1] = fence
  end
end
return answer`

/**
 * KEYS leases, runners; ARGV address, owner, milliseconds, whether the owner is fit, shard... Answers the owner that is registered
 * at the address, if any, and the shards whose leases are renewed, or `*` where all are: their names were most of what an idle node
 * reads. The registration is renewed with them. An owner that is unfit gives its leases up, unless nobody can work.
 */
export const refresh = `${now}${others}
local answer = { '' }
local isFit = ARGV[4] == '1'
local registered = redis.call('HGET', KEYS[2], ARGV[1])
if registered then
  local entry = cjson.decode(registered)
  answer[1] = entry.endsAt > now and entry.owner or ''
  if answer[1] == ARGV[2] then
    entry.endsAt = now + ARGV[3]
    if isFit and entry.unfit then entry.fitSince = now end
    entry.unfit = not isFit or nil
    redis.call('HSET', KEYS[2], ARGV[1], cjson.encode(entry))
  end
end
local goes = not isFit and somebodyWorks(redis.call('HGETALL', KEYS[2]))
for i = 5, #ARGV do
  local found = redis.call('HGET', KEYS[1], ARGV[i])
  local lease = found and cjson.decode(found)
  if lease and lease.owner == ARGV[2] and lease.endsAt > now then
    if goes then redis.call('HDEL', KEYS[1], ARGV[i])
    else
      lease.endsAt = now + ARGV[3]
      redis.call('HSET', KEYS[1], ARGV[i], cjson.encode(lease))
      answer[#answer + 1] = ARGV[i]
    end
  end
end
if #answer == #ARGV - 3 then return { answer[1], '*' } end
return answer`

/** KEYS leases; ARGV owner, shard... Without a shard it releases every lease of the owner. */
export const release = `
local shards = { unpack(ARGV, 2) }
if #shards == 0 then shards = redis.call('HKEYS', KEYS[1]) end
for _, shard in ipairs(shards) do
  local found = redis.call('HGET', KEYS[1], shard)
  if found and cjson.decode(found).owner == ARGV[1] then redis.call('HDEL', KEYS[1], shard) end
end
return 0`
