/** Every migration, in order. A migration that has landed is never changed: a correction is a new migration. */
import { sql as journeys } from "./0001_journeys.ts"
import { sql as webhooks } from "./0002_webhooks.ts"
import { sql as photos } from "./0003_photos.ts"
import { sql as telemetry } from "./0004_telemetry.ts"
import { sql as owed } from "./0005_owed.ts"
import { sql as links } from "./0006_links.ts"
import { sql as checks } from "./0007_checks.ts"
import { sql as videos } from "./0008_videos.ts"
import { sql as vehicles } from "./0009_vehicles.ts"
import { sql as mails } from "./0010_mails.ts"
import { sql as retention } from "./0011_retention.ts"
import { sql as steps } from "./0012_steps.ts"
import { sql as waiting } from "./0013_waiting.ts"

export const migrations: ReadonlyArray<{ readonly id: number; readonly name: string; readonly sql: string }> = [
  { id: 1, name: "journeys", sql: journeys },
  { id: 2, name: "webhooks", sql: webhooks },
  { id: 3, name: "photos", sql: photos },
  { id: 4, name: "telemetry", sql: telemetry },
  { id: 5, name: "owed", sql: owed },
  { id: 6, name: "links", sql: links },
  { id: 7, name: "checks", sql: checks },
  { id: 8, name: "videos", sql: videos },
  { id: 9, name: "vehicles", sql: vehicles },
  { id: 10, name: "mails", sql: mails },
  { id: 11, name: "retention", sql: retention },
  { id: 12, name: "steps", sql: steps },
  { id: 13, name: "waiting", sql: waiting }
]
