/**
 * A TCP proxy in front of PostgreSQL or Redis that fails as networks fail: it refuses, falls silent, answers late, or cuts a
 * connection after the server has done its work but before the client hears of it.
 */
import { createServer, connect, type Socket } from "node:net"

export interface Proxy {
  /** The address of the server through the proxy. */
  readonly url: string
  /**
   * Cuts the connection that carries the next statement with this text, after the server has answered. The statement
   * took effect, and nobody was told. With `andStayAway` the database is away from then on. With `andNextTo` the same happens once
   * more to the next statement with each of those texts, in their order. With `ofTransaction` the statement is one of a transaction,
   * and it is the answer to its COMMIT that is lost.
   */
  readonly swallowReplyTo: (marker: string, options?: SwallowOptions) => void
  /** How many replies were thrown away. */
  readonly swallowed: () => number
  /** The database is away: connections are cut, and new ones end at once. */
  readonly refuse: () => void
  /** Nothing is forwarded any more, and nobody is told. */
  readonly freeze: () => void
  /** Every answer comes so much later, as from a server that is far away. */
  readonly delay: (millis: number) => void
  /** Everything works again, and what was late comes at once. */
  readonly heal: () => void
  /** New connections work again. Frozen ones stay frozen for ever, as behind a firewall that has forgotten them. */
  readonly healForNewcomers: () => void
  readonly close: () => Promise<void>
}

interface SwallowOptions {
  readonly andStayAway?: boolean
  readonly andNextTo?: ReadonlyArray<string>
  readonly ofTransaction?: boolean
}

interface Wanted {
  readonly marker: string
  readonly options: SwallowOptions
}

interface Pair {
  readonly client: Socket
  readonly server: Socket
  readonly answers: Answers
}

interface Answers {
  readonly pass: (chunk: Buffer, lateBy: number) => void
  /** What is under way arrives now. */
  readonly arrive: () => void
}

/** Answers arrive in their order, however late each is. */
const answersTo = (client: Socket): Answers => {
  const underWay: Array<Buffer> = []
  const arriveFirst = () => {
    const first = underWay.shift()
    if (first !== undefined) client.write(first)
  }
  return {
    pass: (chunk, lateBy) => {
      if (lateBy === 0 && underWay.length === 0) {
        client.write(chunk)
        return
      }
      underWay.push(chunk)
      setTimeout(arriveFirst, lateBy)
    },
    arrive: () => {
      for (const chunk of underWay.splice(0)) client.write(chunk)
    }
  }
}

/** ReadyForQuery outside a transaction: the work of the statement is committed. */
const ready = Buffer.from([0x5a, 0, 0, 0, 5, 0x49])
/** The same inside a transaction. */
const readyInTransaction = Buffer.from([0x5a, 0, 0, 0, 5, 0x54])

export const startProxy = async (databaseUrl: string): Promise<Proxy> => {
  const target = new URL(databaseUrl)
  const pairs = new Set<Pair>()
  let state: "open" | "refusing" | "frozen" = "open"
  let wanted: Wanted | null = null
  let swallowed = 0
  let lateBy = 0

  const cutAll = () => {
    for (const { client, server } of pairs) {
      client.resetAndDestroy()
      server.destroy()
    }
  }
  const refuse = () => {
    state = "refusing"
    cutAll()
  }

  const listener = createServer((client) => {
    client.on("error", () => client.destroy())
    if (state === "refusing") {
      client.resetAndDestroy()
      return
    }
    const server = connect(Number(target.port), target.hostname)
    const answers = answersTo(client)
    const pair = { client, server, answers }
    pairs.add(pair)
    let said = Buffer.alloc(0)
    let isCutting = false
    let isInTransaction = false
    let cutsAtCommit = false
    client.on("data", (chunk) => {
      if (wanted !== null) {
        said = Buffer.concat([said, chunk])
        const { andNextTo, andStayAway, ofTransaction } = wanted.options
        if (said.includes(wanted.marker) && (ofTransaction !== true || isInTransaction)) {
          cutsAtCommit = ofTransaction === true
          isCutting = !cutsAtCommit
          if (andStayAway === true) state = "refusing"
          const [next, ...more] = andNextTo ?? []
          wanted = next === undefined ? null : { marker: next, options: { andNextTo: more } }
        }
      }
      server.write(chunk)
    })
    server.on("data", (chunk) => {
      const isReady = chunk.includes(ready)
      isInTransaction = !isReady && (isInTransaction || chunk.includes(readyInTransaction))
      if (cutsAtCommit && isReady) isCutting = true
      if (!isCutting) {
        said = Buffer.alloc(0)
        answers.pass(chunk, lateBy)
      } else if (isReady) {
        swallowed += 1
        client.resetAndDestroy()
        server.destroy()
        if (state === "refusing") cutAll()
      }
    })
    server.on("error", () => client.destroy())
    server.on("close", () => client.destroy())
    client.on("close", () => {
      server.destroy()
      pairs.delete(pair)
    })
    if (state === "frozen") {
      client.pause()
      server.pause()
    }
  })
  await new Promise<void>((resolve) => listener.listen(0, "127.0.0.1", resolve))
  const address = listener.address()
  const url = new URL(databaseUrl)
  url.hostname = "127.0.0.1"
  url.port = String(typeof address === "object" && address !== null ? address.port : 0)

  return {
    url: url.href,
    swallowReplyTo: (marker, options = {}) => {
      wanted = { marker, options }
    },
    swallowed: () => swallowed,
    refuse,
    freeze: () => {
      state = "frozen"
      for (const { client, server } of pairs) {
        client.pause()
        server.pause()
      }
    },
    delay: (millis) => {
      lateBy = millis
    },
    heal: () => {
      state = "open"
      wanted = null
      lateBy = 0
      for (const { answers, client, server } of pairs) {
        answers.arrive()
        client.resume()
        server.resume()
      }
    },
    healForNewcomers: () => {
      state = "open"
    },
    close: () =>
      new Promise((resolve) => {
        listener.close(() => resolve())
        cutAll()
      })
  }
}
