/** What the settings say on this machine and in this process: for the start, and for doctor. */
import { Effect } from "effect"
import { url as inspectorUrl } from "node:inspector"
import type { GivenSettings } from "../settings/Settings.ts"
import { openToOthers } from "./openToOthers.ts"
import { settingsFindings } from "./settingsChecks.ts"

export const findingsHere = Effect.fnUntraced(function* (settings: GivenSettings) {
  return settingsFindings({ settings, openToOthers: yield* openToOthers(settings.dataDir), debuggerAt: inspectorUrl() })
})
