/** Every migration, in order. A migration that has landed is never edited: what it should have said is a new one. */
import { sql as journeys } from "./0001_journeys.ts"
import { sql as webhooks } from "./0002_webhooks.ts"
import { sql as photos } from "./0003_photos.ts"
import { sql as telemetry } from "./0004_telemetry.ts"

export const migrations: ReadonlyArray<{ readonly id: number; readonly name: string; readonly sql: string }> = [
  { id: 1, name: "journeys", sql: journeys },
  { id: 2, name: "webhooks", sql: webhooks },
  { id: 3, name: "photos", sql: photos },
  { id: 4, name: "telemetry", sql: telemetry }
]
