/**
 * What an operation may cost: its CPU time, of the service and of PostgreSQL together, as a multiple of what the plain server of
 * this folder costs for the same on the same machine in the same run. `checkBudget.ts` measures. Each number is about twice what was
 * measured when it was set, so that chance does not fail it, and a change that doubles a cost does.
 */
export const budget = {
  start: 10,
  /** A live start and its two mails over SMTP, over the plain server's start: the plain server sends none. */
  mailed: 130,
  read: 3.5,
  decide: 5
} as const satisfies Record<string, number>
