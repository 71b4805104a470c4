/** An answer that is bytes and no envelope: in the description of its endpoint, and what it is called when it is saved. */
import { Schema } from "effect"
import { HttpServerResponse } from "effect/http"
import { HttpApiSchema } from "effect/http-api"
import type { JourneyId } from "../../../schema/ids.ts"

export const bytesAs = (contentType: string) => Schema.Uint8Array.pipe(HttpApiSchema.asUint8Array({ contentType }))

export const bytes = (description: string) => ({ description, message: "", examples: {} })

/** The journey, and what the file shows: nothing of the customer. `what` is a name of ours, never a caller's. */
export const savedAs = (journeyId: JourneyId, what: string) => ({
  "content-disposition": `inline; filename="journey-${journeyId}-${what}"`
})

export const jpegResponse = (jpeg: Uint8Array, journeyId: JourneyId, what: string) =>
  HttpServerResponse.uint8Array(jpeg, { contentType: "image/jpeg", headers: savedAs(journeyId, `${what}.jpg`) })
