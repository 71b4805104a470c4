/**
 * Why a file or a folder could not be used, in words for whoever runs the program. The system's code follows in brackets. What to
 * do about it is said by the caller, who knows what the file is for.
 */

const words: Readonly<Record<string, string>> = {
  EACCES: "the user that runs this may not",
  EISDIR: "it is a folder",
  ELOOP: "its links lead round and round",
  ENOENT: "it is not there",
  ENOSPC: "the disk is full",
  ENOTDIR: "a part of its path is no folder",
  EPERM: "the system does not permit it",
  EROFS: "the disk is read-only"
}

/** Whether the system has failed with this code. */
export const hasCode = (cause: unknown, code: string): boolean =>
  cause instanceof Error && "code" in cause && cause.code === code

export const fileProblem = (cause: unknown): string => {
  if (!(cause instanceof Error)) return String(cause)
  const code = "code" in cause ? String(cause.code) : ""
  const inWords = words[code]
  return inWords === undefined ? cause.message : `${inWords} (${code})`
}
