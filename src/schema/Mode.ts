/** The mode of an API key, and of everything that the key makes: live journeys, or the sandbox. */
import { Schema, SchemaTransformation } from "effect"
import { inColumn } from "./model.ts"

export const Mode = Schema.Literals(["LIVE", "TEST"])
export type Mode = typeof Mode.Type

export const modeOf = (livemode: boolean): Mode => (livemode ? "LIVE" : "TEST")

/** The database keeps the mode as the boolean `livemode`. */
export const ModeColumn = inColumn(
  Schema.Boolean.pipe(
    Schema.decodeTo(
      Mode,
      SchemaTransformation.transform({
        decode: modeOf,
        encode: (mode) => mode === "LIVE"
      })
    )
  ),
  { name: "livemode" }
)
