/** The parser of multipart forms, loaded when the first of them comes: a command, which reads only what the operations describe, never needs it. */
import { Effect } from "effect"

export const formParser = Effect.promise(() => import("formidable"))

export type FormParser = Effect.Success<typeof formParser>
