/** The limits of reading the journal of what has ended. */
export const replayLimits = {
  /** Lines that are applied together: a few statements for all of them. */
  linesAtOnce: 500,
  /** No line is longer: five ids and a time. */
  longestLineBytes: 1024,
  /** Files of the folder: one for each start of a node that ended something. */
  mostFiles: 100_000
} as const
