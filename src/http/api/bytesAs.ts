/** An answer that is bytes and no envelope, in the description of its endpoint. */
import { Schema } from "effect"
import { HttpApiSchema } from "effect/http-api"

export const bytesAs = (contentType: string) => Schema.Uint8Array.pipe(HttpApiSchema.asUint8Array({ contentType }))

export const bytes = (description: string) => ({ description, message: "", examples: {} })
