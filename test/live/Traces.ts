/**
 * What a service leaves behind while it runs: every file in its folder at any time, every command to its Redis, and at
 * the end the whole content of Redis and PostgreSQL. The tests decide what may be in there. Not a test itself.
 */
import { Redis } from "ioredis"
import { readdir, readFile, stat } from "node:fs/promises"
import { join } from "node:path"
import { queryDirectly } from "../support/directly.ts"

/** Milliseconds between two looks at the folder. */
const lookEvery = 50

export interface Watched {
  /** The name, content and place of each file. */
  readonly files: ReadonlyMap<string, Buffer>
  readonly looks: () => number
  readonly stop: () => Promise<void>
}

/** Reads whatever appears in a folder, and reads it again when it has changed. */
export const watchFolder = (folder: string): Watched => {
  const files = new Map<string, Buffer>()
  let looks = 0
  const stopping = new AbortController()
  const look = async () => {
    const entries = await readdir(folder, { recursive: true }).catch(() => [])
    for (const name of entries) {
      const path = join(folder, name)
      try {
        const { mtimeMs, size } = await stat(path)
        const key = `${name} ${size} ${mtimeMs}`
        if (!files.has(key)) files.set(key, await readFile(path))
      } catch {
        // The entry is a folder, or is gone already.
      }
    }
    looks += 1
  }
  const watching = (async () => {
    while (!stopping.signal.aborted) {
      await look()
      await new Promise((resolve) => setTimeout(resolve, lookEvery))
    }
    await look()
  })()
  return {
    files,
    looks: () => looks,
    stop: () => {
      stopping.abort()
      return watching
    }
  }
}

/** Every command that any client sends to a Redis, with its arguments. */
export const watchRedis = async (url: string) => {
  const client = new Redis(url)
  const monitor = await client.monitor()
  const commands: Array<string> = []
  monitor.on("monitor", (_time: string, args: ReadonlyArray<string>) => commands.push(args.join(" ")))
  return {
    commands,
    stop: () => {
      monitor.disconnect()
      client.disconnect()
    }
  }
}

const readerOf: Readonly<Record<string, (client: Redis, key: string) => Promise<unknown>>> = {
  string: (client, key) => client.getBuffer(key),
  hash: (client, key) => client.hgetallBuffer(key),
  list: (client, key) => client.lrangeBuffer(key, 0, -1),
  set: (client, key) => client.smembersBuffer(key),
  zset: (client, key) => client.zrangeBuffer(key, "0", "-1"),
  stream: (client, key) => client.xrangeBuffer(key, "-", "+")
}

const bytesOf = (value: unknown): ReadonlyArray<Buffer> => {
  if (Buffer.isBuffer(value)) return [value]
  if (typeof value !== "object" || value === null) return []
  return Object.entries(value).flatMap(([key, one]) => [[Buffer.from(key)], bytesOf(one)].flat())
}

/** Every key of a Redis with its value, of any type. */
export const redisDump = async (url: string): Promise<ReadonlyMap<string, Buffer>> => {
  const client = new Redis(url)
  try {
    const keys = await client.keys("*")
    const values = await Promise.all(
      keys.map(async (key) => {
        const type = await client.type(key)
        // A key that expired meanwhile has no type.
        if (type === "none") return Buffer.alloc(0)
        const read = readerOf[type]
        if (read === undefined) throw new Error(`${key} is of the type ${type}, which nobody reads here`)
        return Buffer.concat(bytesOf(await read(client, key)))
      })
    )
    return new Map(keys.map((key, at) => [key, values[at] ?? Buffer.alloc(0)]))
  } finally {
    client.disconnect()
  }
}

/** Every row of every table as text, with the bytes of its binary columns, by the table's name. */
export const databaseDump = async (databaseUrl: string): Promise<ReadonlyMap<string, Buffer>> => {
  const tables = await queryDirectly<{ readonly name: string }>(
    databaseUrl,
    `select format('%I.%I', schemaname, tablename) as name from pg_tables
     where schemaname not in ('pg_catalog', 'information_schema')`
  )
  const dump = new Map<string, Buffer>()
  for (const { name } of tables) {
    const rows = await queryDirectly<{ readonly line: string }>(databaseUrl, `select t::text as line from ${name} t`)
    const lines = rows.map(({ line }) => line)
    const bytes = lines
      .flatMap((line) => line.match(/\\x[0-9a-f]+/g) ?? [])
      .map((hex) => Buffer.from(hex.slice(2), "hex"))
    dump.set(name, Buffer.concat([Buffer.from(lines.join("\n")), Buffer.from("\n"), ...bytes]))
  }
  return dump
}
