/**
 * The port that cleans a company's logo: the image is decoded and encoded anew, so that nothing but the picture is kept, and
 * made no larger than pages show it. Which images may be sent is said by the schema of the company's brand.
 */
import { Context, Data, type Effect } from "effect"
import type { KeptLogo } from "../../schema/company/Brand.ts"

export interface CleanLogo extends KeptLogo {
  readonly bytes: Uint8Array
}

/** The image was looked at and refused. `rule` is shown to the sender. */
export class LogoUnusable extends Data.TaggedError("LogoUnusable")<{ readonly rule: string }> {}

/** Images cannot be looked at now. */
export class LogoCheckUnavailable extends Data.TaggedError("LogoCheckUnavailable") {}

export class LogoCheck extends Context.Service<
  LogoCheck,
  { readonly clean: (image: Uint8Array) => Effect.Effect<CleanLogo, LogoUnusable | LogoCheckUnavailable> }
>()("journeys/actors/LogoCheck") {}
