/** Whether this version knows every migration of the database. A start refuses a database with another one (`postgres/Migrations.ts`). */
import { Effect } from "effect"
import { well, wrong, type Finding } from "../honesty/Finding.ts"
import { standOf } from "../postgres/Migrations.ts"
import { migrations } from "../postgres/migrations/all.ts"

const name = "migrations"

const coming = (missing: number): string =>
  missing === 1 ? "the next start makes 1 migration" : `the next start makes ${missing} migrations`

/** Makes none itself. */
export const migrationAnswer = Effect.map(standOf(migrations), ({ missing, problem }): Finding => {
  if (problem !== undefined)
    return wrong(name, problem, "run the version that belongs to this database, or restore a backup")
  return well(name, missing === 0 ? "the database has all of this version" : coming(missing))
})
