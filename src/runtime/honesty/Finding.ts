/** What a check has found, for people and for programs. What is checked stands with the checks. */

export interface Finding {
  readonly name: string
  readonly isWell: boolean
  /** A sentence about what is there. */
  readonly says: string
  /** What to do about it; null where there is nothing to do. */
  readonly cure: string | null
}

export const well = (name: string, says: string): Finding => ({ name, isWell: true, says, cure: null })

export const wrong = (name: string, says: string, cure: string): Finding => ({ name, isWell: false, says, cure })

/** All is well, and something should be known all the same: nothing is refused for it. */
export const advice = (name: string, says: string, cure: string): Finding => ({ name, isWell: true, says, cure })

const lineOf = ({ cure, name, says }: Finding): string => `${name}: ${says}; cure: ${cure ?? "none"}`

/** Each advice as a line. */
export const adviceLines = (findings: ReadonlyArray<Finding>): ReadonlyArray<string> =>
  findings.filter(({ cure, isWell }) => isWell && cure !== null).map(lineOf)

/** Each problem as a line, with its cure. */
export const problemLines = (findings: ReadonlyArray<Finding>): ReadonlyArray<string> =>
  findings.filter(({ isWell }) => !isWell).map(lineOf)
