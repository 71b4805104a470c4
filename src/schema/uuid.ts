/** The form of an id, in lower case. Parameters and fields of bodies that hold an id have it. */
export const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
