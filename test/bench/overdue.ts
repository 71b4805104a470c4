/**
 * What comes after nights without a node: alarms of journeys became due while none ran. How soon the service answers again, and how
 * many of them it works off in a second. Each journey is made older than any journey lives, so its alarm ends it.
 */
import { queryDirectly } from "../support/directly.ts"
import { cpuMeter, cpuOfEach } from "./cpuMeter.ts"
import { withService } from "./running.ts"
import { workLine } from "./table.ts"

const lookEveryMillis = 250

const dueStatement = `
update journeys set wake_at = now() - interval '1 hour', state = jsonb_set(state::jsonb, '{createdAt}', '1000')::json
where id in (select id from journeys where status = 'ACTIVE' order by created_at limit $1) returning id`

/** How many are left, of at most so many. */
const left = async (databaseUrl: string, most: number): Promise<number> => {
  const text = "select id from journeys where wake_at <= now() and set_aside_at is null limit $1"
  return (await queryDirectly(databaseUrl, text, [most])).length
}

/** The database has journeys, and no service runs on it. */
export const measureOverdue = async (
  databaseUrl: string,
  environment: Readonly<Record<string, string>>,
  most: number
): Promise<void> => {
  const due = await queryDirectly(databaseUrl, dueStatement, [most])
  await queryDirectly(databaseUrl, "vacuum analyze journeys")
  await queryDirectly(databaseUrl, "checkpoint")
  await withService(databaseUrl, environment, async ({ answersAfter, pid }) => {
    const meter = await cpuMeter(databaseUrl, pid)
    const [began, before] = [performance.now(), meter.now()]
    const atFirst = await left(databaseUrl, most)
    while ((await left(databaseUrl, 1)) > 0) await new Promise((resolve) => setTimeout(resolve, lookEveryMillis))
    const [seconds, after] = [(performance.now() - began) / 1000, meter.now()]
    const cpu = cpuOfEach(before, after, atFirst)
    const title = `${due.length.toLocaleString("en")} overdue alarms, answers after ${(answersAfter / 1000).toFixed(1)} s`
    console.log(workLine(title, atFirst / seconds, cpu))
  })
}
