/** Looking into a body that may still be anything: is it an object with members, and what is at a member. */

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** An own member of an object, or undefined: nothing is ever found on a prototype. */
export const memberOf = (value: unknown, name: string): unknown =>
  isRecord(value) && Object.hasOwn(value, name) ? value[name] : undefined
