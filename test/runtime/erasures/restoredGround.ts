/** A database of which a backup is taken before something changes, and services on both: on the one that changed, and on the restored backup. */
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { backupOf } from "../../support/backups.ts"
import { queryDirectly } from "../../support/directly.ts"
import { freshDatabase, startService, type Service } from "../../support/service.ts"

interface JournalLine {
  readonly what: string
  readonly customerId?: string
}

export interface Restored {
  /** The lines of the journal, as they stand in its files. */
  readonly journal: ReadonlyArray<JournalLine>
  /** A service on the restored backup, beside the journal of what changed after it; `first` is run in the backup before. */
  readonly backup: (first?: string) => Promise<Service>
  /** A service on the database that changed: it is told the same lines. */
  readonly changed: () => Promise<Service>
  /** Removes the journal. */
  readonly done: () => Promise<void>
}

/** The lines of the files of a journal. */
export const linesIn = async (folder: string): Promise<ReadonlyArray<JournalLine>> => {
  const texts = await Promise.all(
    (await readdir(folder)).toSorted().map((file) => readFile(join(folder, file), "utf8"))
  )
  return texts.flatMap((text) => text.split("\n").filter((line) => line !== "")).map((line) => JSON.parse(line))
}

/** `before` makes what the backup holds, `change` what the backup does not know. */
export const restoredAfter = async <A>(
  before: (service: Service) => Promise<A>,
  change: (service: Service, made: A) => Promise<void>,
  environment: Readonly<Record<string, string>> = {}
): Promise<Restored & { readonly made: A }> => {
  const folder = await mkdtemp(join(tmpdir(), "journeys-restored-"))
  const DATABASE_URL = await freshDatabase()
  const startOn = (url: string) => startService({ ...environment, DATABASE_URL: url, ERASURE_JOURNAL: folder })
  const first = await startOn(DATABASE_URL)
  const made = await before(first)
  await first.stop()
  const backup = await backupOf(DATABASE_URL)
  const second = await startOn(DATABASE_URL)
  await change(second, made)
  await second.stop()
  return {
    made,
    journal: await linesIn(folder),
    backup: async (first) => {
      if (first !== undefined) await queryDirectly(backup, first)
      return startOn(backup)
    },
    changed: () => startOn(DATABASE_URL),
    done: () => rm(folder, { recursive: true, force: true })
  }
}
