/** Reads members of a body that may still be anything: whether it is an object, and what a member holds. */

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** An own member of an object, or undefined. A member of the prototype is never found. */
export const memberOf = (value: unknown, name: string): unknown =>
  isRecord(value) && Object.hasOwn(value, name) ? value[name] : undefined
