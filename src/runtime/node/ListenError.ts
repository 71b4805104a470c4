/** Why a server cannot listen: what is wrong with its address or its port, and the setting that mends it. */
import { Data } from "effect"

class ListenError extends Data.TaggedError("ListenError")<{ readonly message: string }> {}

/** The settings that say where a server listens, and whether 0 may stand for any free port. */
export interface ListenSettings {
  readonly host: string
  readonly port: string
  readonly takesAnyPort: boolean
}

/** A server of HTTP could not listen. */
export const listenError = (cause: unknown, settings: ListenSettings): ListenError =>
  new ListenError({ message: `cannot listen: ${listenProblem(cause, settings)}` })

export const listenProblem = (cause: unknown, settings: ListenSettings): string => {
  if (!(cause instanceof Error)) return String(cause)
  const { code, ...where } = cause as NodeJS.ErrnoException & { readonly address?: string; readonly hostname?: string }
  switch (code) {
    case "EADDRINUSE":
      return `${cause.message.replace(/^listen EADDRINUSE: /, "")}; set ${settings.port} to another port${settings.takesAnyPort ? ", or 0 for any free one" : ""}`
    case "EACCES":
      return `${cause.message.replace(/^listen EACCES: /, "")}; set ${settings.port} to a port that this user may listen on, such as one above 1023`
    case "EADDRNOTAVAIL":
      return `${where.address} is no address of this machine; ${ownAddress(settings)}`
    case "ENOTFOUND":
    case "EAI_AGAIN":
      return `no address is known for ${where.hostname}; ${ownAddress(settings)}`
    default:
      return cause.message
  }
}

const ownAddress = ({ host }: ListenSettings): string =>
  `set ${host} to one of this machine's addresses, or to 0.0.0.0 for all of them`
