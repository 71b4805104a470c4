/** What a check has found, for people and for programs. What is checked stands with the checks. */

export interface Finding {
  readonly name: string
  readonly isWell: boolean
  /** A sentence about what is there. */
  readonly says: string
  /** What to do about it; null where all is well. */
  readonly cure: string | null
}

export const well = (name: string, says: string): Finding => ({ name, isWell: true, says, cure: null })

export const wrong = (name: string, says: string, cure: string): Finding => ({ name, isWell: false, says, cure })

/** Each problem as a line, with its cure. */
export const problemLines = (findings: ReadonlyArray<Finding>): ReadonlyArray<string> =>
  findings.flatMap(({ cure, isWell, name, says }) => (isWell ? [] : [`${name}: ${says}; cure: ${cure ?? "none"}`]))
