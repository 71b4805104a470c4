/** `journeys doctor`: whether this installation is safe to run, all of it at once. It needs no running service, and leaves nothing behind. */
import { Effect } from "effect"
import { Command } from "effect/cli"
import type { Finding } from "../../honesty/Finding.ts"
import { settingsHere } from "../../settings/Settings.ts"
import { CommandFailed } from "../frame/CommandFailed.ts"
import { printWithList } from "../frame/printing.ts"

const statusOf = (finding: Finding, allowed: ReadonlySet<Finding>): "ok" | "advice" | "allowed" | "wrong" =>
  finding.isWell ? (finding.cure === null ? "ok" : "advice") : allowed.has(finding) ? "allowed" : "wrong"

/** No other command looks at databases, Redis and mail servers, so no other command loads their clients. */
const examination = Effect.promise(() => import("../../doctor/examination.ts"))

export const doctor = Command.make(
  "doctor",
  {},
  Effect.fn("doctor")(function* () {
    const { examine } = yield* examination
    const { allowed, findings, profile } = yield* examine(settingsHere())
    const shown = findings.map((finding) => ({
      status: statusOf(finding, allowed),
      check: finding.name,
      found: finding.says,
      cure: finding.cure
    }))
    const wrong = shown.filter(({ status }) => status === "wrong").length
    yield* printWithList(
      {
        thing: { profile: profile.name, because: profile.why, checks: shown.length, wrong, findings: shown },
        list: { name: "findings", entries: shown }
      },
      [
        ["STATUS", ({ status }) => status],
        ["CHECK", ({ check }) => check],
        ["FOUND", ({ found }) => found],
        ["CURE", ({ cure }) => cure]
      ]
    )
    if (wrong > 0)
      return yield* new CommandFailed({ message: `${wrong} of ${shown.length} checks found something wrong` })
  })
).pipe(
  Command.withDescription(
    "Look whether this installation is safe: settings, files, database, Redis, mail, certificate. Exit code 1 when something is wrong"
  )
)
