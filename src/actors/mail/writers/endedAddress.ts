/**
 * The address of a company's administrator after a restore, when the address was changed after the backup: an address that
 * nobody has. The journal of what has ended does not hold the new address, so the company or the operator sets it again. Until
 * then nothing is mailed to the administrator.
 */
export const endedAddress = "address-ended@journeys.invalid"
