/** The demo's own failure: it did not show what it should show. */
import { Data } from "effect"

export class DemoFailed extends Data.TaggedError("DemoFailed")<{ readonly message: string }> {}
