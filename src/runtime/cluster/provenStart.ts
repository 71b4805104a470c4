/**
 * A runner proves itself to the runners that work before it joins them. One that was given another CLUSTER_SECRET would reach none of
 * them, take each for dead, and take over the work of all. So its start ends, and says why, when others can be reached and none
 * accepts its proof. A runner that nobody answers joins: the others may have died with their registrations still there.
 */
import { Data, Effect, Layer } from "effect"
import { RunnerStorage } from "effect/cluster"
import { connect } from "node:tls"
import { clusterLimits } from "./limits.ts"
import { clientOptions, type NodeProof } from "./nodeProof.ts"

export class ProofRefused extends Data.TaggedError("ProofRefused")<{ readonly by: ReadonlyArray<string> }> {
  override readonly message = `CLUSTER_SECRET is not that of the runners that work (${this.by.join(", ")}): set the same on every node; to change it, give the new one and the old one first (CLUSTER_SECRET=NEW,OLD)`
}

/** Where a runner listens for the others. */
export interface Address {
  readonly host: string
  readonly port: number
}

type Answer = "PROVEN" | "REFUSED" | "SILENT"

/** OpenSSL names what the other end did not like; a network that fails has other codes. */
const isRefusal = ({ code = "" }: NodeJS.ErrnoException): boolean => code.startsWith("ERR_SSL_") || code === "EPROTO"

const answerOf = ({ host, port }: Address, proof: NodeProof): Effect.Effect<Answer> =>
  Effect.callback<Answer>((answer) => {
    const socket = connect({ ...clientOptions(proof), host, port })
    socket.once("secureConnect", () => answer(Effect.succeed("PROVEN")))
    socket.once("error", (error) => answer(Effect.succeed(isRefusal(error) ? "REFUSED" : "SILENT")))
    return Effect.sync(() => socket.destroy())
  }).pipe(
    Effect.timeoutOrElse({
      duration: clusterLimits.provesAtStartWithin,
      orElse: () => Effect.succeed<Answer>("SILENT")
    })
  )

const nameOf = ({ host, port }: Address): string => `${host}:${port}`

/** Of the other runners that count as healthy. While Redis is away nobody is known, and the runner waits for Redis anyway. */
const others = (self: Address) =>
  Effect.flatMap(RunnerStorage.RunnerStorage, (storage) => storage.getRunners).pipe(
    Effect.map((runners) =>
      runners.flatMap(([{ address }, isHealthy]) => (isHealthy && nameOf(address) !== nameOf(self) ? [address] : []))
    ),
    Effect.orElseSucceed(() => [])
  )

export const layerOf = (self: Address, proof: NodeProof) =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const asked = yield* others(self)
      const answers = yield* Effect.forEach(asked, (one) => answerOf(one, proof), { concurrency: "unbounded" })
      const by = asked.filter((_, at) => answers[at] === "REFUSED").map(nameOf)
      if (by.length === 0) return
      if (!answers.includes("PROVEN")) return yield* new ProofRefused({ by })
      yield* Effect.logWarning("Some runners refuse the CLUSTER_SECRET of this one, and others take it", { by })
    })
  )
