/** A Lua script that Redis runs as one step. The script is sent by its hash, and in full only to a Redis that does not know it. */
import { createHash } from "node:crypto"
import type { Redis as Client } from "ioredis"
import { redisLimits } from "./limits.ts"

const unanswered = new WeakMap<Client, number>()

const isUnanswered = (error: unknown): boolean => error instanceof Error && error.message === "Command timed out"

const watched = async (client: Client, asked: Promise<unknown>): Promise<unknown> => {
  try {
    const answer = await asked
    unanswered.delete(client)
    return answer
  } catch (error) {
    if (isUnanswered(error)) {
      const count = (unanswered.get(client) ?? 0) + 1
      unanswered.set(client, count)
      if (count >= redisLimits.mostUnanswered && client.status === "ready") {
        unanswered.delete(client)
        client.disconnect(true)
      }
    }
    throw error
  }
}

/** The script as a function of a client, keys and arguments. The caller knows the shape of the answer. */
export const script = (lua: string) => {
  const hash = createHash("sha1").update(lua).digest("hex")
  return async (
    client: Client,
    keys: ReadonlyArray<string>,
    parameters: ReadonlyArray<string | number>
  ): Promise<unknown> => {
    try {
      return await watched(client, client.evalsha(hash, keys.length, ...keys, ...parameters))
    } catch (error) {
      // A Redis that was restarted or emptied has lost the script.
      if (!(error instanceof Error && error.message.startsWith("NOSCRIPT"))) throw error
      return client.eval(lua, keys.length, ...keys, ...parameters)
    }
  }
}

/** A script over keys that never change. */
export const scriptOn = (client: Client, lua: string, keys: ReadonlyArray<string>) => {
  const run = script(lua)
  return (parameters: ReadonlyArray<string | number>): Promise<unknown> => run(client, keys, parameters)
}
