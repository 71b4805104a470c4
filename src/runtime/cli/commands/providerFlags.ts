/**
 * The flags that name a company's outside providers. Their secrets come from files: what stands on a command line is
 * seen by everyone on the machine and kept in the shell's history.
 */
import { Effect, Option } from "effect"
import { Flag } from "effect/cli"
import { CommandFailed } from "../frame/CommandFailed.ts"
import { textFlag } from "../frame/parameters.ts"
import type { CompanyPatch } from "../../../schema/company/Company.ts"

const file = (name: string, description: string) =>
  Flag.FileText(name).pipe(Flag.withDescription(description), Flag.optional)

export const providerFlags = {
  identity: textFlag("identity", "none, built-in, or the https URL of an identity provider"),
  identitySecret: file("identity-secret-file", "File with the secret shared with the identity provider"),
  panel: textFlag("panel", "none, or the finance panel's name"),
  panelUrl: textFlag("panel-url", "The https URL of the finance panel"),
  panelSecret: file("panel-secret-file", "File with the secret shared with the finance panel")
}

interface ProviderFlags {
  readonly identity: Option.Option<string>
  readonly identitySecret: Option.Option<string>
  readonly panel: Option.Option<string>
  readonly panelUrl: Option.Option<string>
  readonly panelSecret: Option.Option<string>
}

const failed = (message: string) => Effect.fail(new CommandFailed({ message }))

/** The part of a change that the flags name; flags that say nothing together are refused, not passed over. */
export const providersOf = Effect.fnUntraced(function* (
  flags: ProviderFlags
): Effect.fn.Return<Pick<CompanyPatch, "financePanel" | "identityProvider">, CommandFailed> {
  const identityProvider = yield* identityOf(flags)
  const financePanel = yield* panelOf(flags)
  return {
    ...(identityProvider === undefined ? {} : { identityProvider }),
    ...(financePanel === undefined ? {} : { financePanel })
  }
})

const identityOf = ({ identity, identitySecret }: ProviderFlags) => {
  const named = Option.getOrUndefined(identity)
  const secret = Option.getOrUndefined(identitySecret)
  const isUrl = named !== undefined && named !== "none" && named !== "built-in"
  if (isUrl !== (secret !== undefined)) return failed("a URL in --identity and --identity-secret-file go together")
  if (isUrl && secret !== undefined) {
    return Effect.succeed({ kind: "HTTP", url: named, secret: secret.trim() } as const)
  }
  return Effect.succeed(named === "none" ? null : named === "built-in" ? ({ kind: "BUILT_IN" } as const) : undefined)
}

const panelOf = ({ panel, panelSecret, panelUrl }: ProviderFlags) => {
  const name = Option.getOrUndefined(panel)
  const url = Option.getOrUndefined(panelUrl)
  const secret = Option.getOrUndefined(panelSecret)
  if (name === undefined || name === "none") {
    return url === undefined && secret === undefined
      ? Effect.succeed(name === undefined ? undefined : null)
      : failed("--panel-url and --panel-secret-file need the panel's name in --panel")
  }
  return url === undefined || secret === undefined
    ? failed("a name in --panel needs --panel-url and --panel-secret-file")
    : Effect.succeed({ name, url, secret: secret.trim() })
}
