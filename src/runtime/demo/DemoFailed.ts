/** The demo did not show what it is there to show. */
import { Data } from "effect"

export class DemoFailed extends Data.TaggedError("DemoFailed")<{ readonly message: string }> {}
