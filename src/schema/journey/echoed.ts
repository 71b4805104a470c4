/**
 * The fields of a start that callers read back as they were sent. The journey's state keeps each, the journey's resource
 * shows each. A new one needs its two lines here, the field of the start's body, and a word in each list of
 * `schema/start/startReaders.ts`. A field that stored journeys lack is an optional key in `echoedFields`. The description is the sentence in the document.
 */
import { Schema } from "effect"

export const echoedFields = {
  externalReference: Schema.NullOr(Schema.String).annotate({
    description: "The caller's own deal id, trimmed and composed (NFC)"
  })
} as const

const Echoed = Schema.Struct(echoedFields)
export type Echoed = typeof Echoed.Type

/** The echoed fields of a start, a state or a fact; null where a field was not sent. */
export const echoedOf = (source: {
  readonly [Field in keyof Echoed]?: Echoed[Field] | undefined
}): Required<Echoed> => ({
  externalReference: source.externalReference ?? null
})
