/** How fast test journeys advance, unless their company says otherwise. The settings of the service provide it. */
import { Context, type Duration } from "effect"

export class SandboxPace extends Context.Service<
  SandboxPace,
  { readonly step: Duration.Duration; readonly callerStep: Duration.Duration }
>()("journeys/actors/SandboxPace") {}
