/** The limits of writing the journal of what has ended, and of reading it. */
export const journalLimits = {
  /** Lines of one write. */
  linesAtOnce: 1000,
  /** Lines that wait in memory while the journal cannot be written, some 20 MB: hours of a busy node. */
  mostUnwritten: 100_000
} as const

export const replayLimits = {
  /** Lines that are applied together: a few statements for all of them. */
  linesAtOnce: 500,
  /** No line is longer: five ids and a time. */
  longestLineBytes: 1024,
  /** Bytes of one look for the zeros at the end of a file. */
  zerosAtOnce: 64 * 1024,
  /** Files of the folder: one for each start of a node that ended something. */
  mostFiles: 100_000
} as const
