/** The form of an id, in lower case. Parameters and fields of bodies that hold an id have it. */
export const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/** No id comes before the one, and none behind the other. */
export const smallestId = "00000000-0000-0000-0000-000000000000"
export const largestId = "ffffffff-ffff-ffff-ffff-ffffffffffff"
