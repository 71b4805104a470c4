/**
 * What `listen` keeps between two runs, for one key and one address: the secret it signs with, and the place it has come
 * to. The file is written after an event was forwarded and answered, so a run that is killed leaves nothing out; the one
 * event that was on its way comes again.
 */
import { createHash, randomBytes } from "node:crypto"
import * as Path from "node:path"
import { replaceFile } from "../../files/replaceFile.ts"
import { listenLimits } from "../lib/limits.ts"
import { ListenFailed } from "./ListenFailed.ts"
import { fileProblem } from "../../files/fileProblem.ts"
import { readIfThere } from "../../files/readIfThere.ts"

export interface ListenState {
  /** Tells whose place this is without telling the key. */
  readonly of: string
  readonly secret: string
  /** The cursor of the page that is being forwarded; null: from the first event on. */
  readonly after: string | null
  /** The last event of that page that was forwarded. Pages never change, so what is before it was too. */
  readonly forwarded: string | null
}

const elsewhere = "name another file with --state"

const anew = `${elsewhere}, or remove this one: the next run then makes a new secret and begins with the next event`

/** Characters of the hash in a file's name. */
const nameLength = 16

/** Whose place it is: hashed, because a key must not be in a file's name. */
export const ownerOf = (key: string, forwardTo: string): string =>
  createHash("sha256").update(`${key}\n${forwardTo}`).digest("hex")

/** The file of an owner in the folder where files of `listen` are. */
export const stateFileIn = (folder: string, owner: string): string =>
  Path.join(folder, `${owner.slice(0, nameLength)}.json`)

const isState = (value: unknown): value is ListenState => {
  if (typeof value !== "object" || value === null) return false
  const { after, forwarded, of, secret } = value as Readonly<Record<string, unknown>>
  const isPlace = [after, forwarded].every((one) => one === null || typeof one === "string")
  return isPlace && typeof of === "string" && typeof secret === "string"
}

const stateIn = (text: string): ListenState | null => {
  try {
    const value: unknown = JSON.parse(text)
    return isState(value) ? value : null
  } catch {
    return null
  }
}

/** What the file holds, null when there is none yet. */
export const readState = async (file: string, owner: string): Promise<ListenState | null> => {
  const text = await readIfThere(file).catch((cause: unknown) => {
    throw new ListenFailed(`${file} cannot be read: ${fileProblem(cause)}; ${elsewhere}`, { cause })
  })
  if (text === null) return null
  const state = stateIn(text)
  if (state === null) {
    throw new ListenFailed(`${file} is not a file that listen wrote; ${anew}`)
  }
  if (state.of !== owner) {
    throw new ListenFailed(`${file} belongs to another key or address; ${elsewhere}`)
  }
  return state
}

export const writeState = (file: string, state: ListenState): Promise<void> =>
  replaceFile(file, `${JSON.stringify(state, null, 2)}\n`).catch((cause: unknown) => {
    throw new ListenFailed(`${file} cannot be written: ${fileProblem(cause)}; ${elsewhere}`, { cause })
  })

const secretPrefixed = "whsec_"

export const newSecret = (): string => secretPrefixed + randomBytes(listenLimits.secretBytes).toString("base64")

/** The secret that was given with `--secret`. */
export const judgedSecret = (given: string): string => {
  if (given.startsWith(secretPrefixed) && /^[!-~]+$/.test(given)) return given
  throw new ListenFailed(`--secret must begin with ${secretPrefixed} and contain no white space`)
}
