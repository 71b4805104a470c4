/**
 * The address that a company's administrator has after a restore when theirs was changed after the backup: nobody's. The journal of what
 * has ended does not hold the address of after, so the company or the operator tells it anew; nothing is mailed meanwhile.
 */
export const endedAddress = "address-ended@journeys.invalid"
