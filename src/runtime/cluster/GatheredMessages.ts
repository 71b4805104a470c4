/**
 * What passes between nodes for messages to journeys that are sent together: the messages of one turn of the sender's event loop in one
 * call, and each answer as soon as its journey has given it. A call for each message, as the cluster makes it, costs several fibers, a
 * record of TLS and a client and a server of its own at either end: of a decision that reaches the wrong node that was more than the decision.
 *
 * Nodes of earlier versions do not know this call. `gatheredSends.ts` notices, and sends them each message alone.
 */
import { Schema } from "effect"
import { Envelope, Reply, Runners } from "effect/cluster"
import { Rpc, RpcGroup } from "effect/rpc"

/** The call that the cluster makes for a message alone: each message of many is handled and answered as it is. */
export const alone = "Effect"

const callAlone = Runners.Rpcs.requests.get(alone)
if (callAlone === undefined) throw new Error("the cluster has no call for one message")

/** How one of the messages ended. `at` is its place in the call. */
export const MessageEnd = Schema.Struct({
  at: Schema.Int,
  exit: Schema.Exit(Reply.Encoded, callAlone.errorSchema, Schema.Defect())
})
export type MessageEnd = typeof MessageEnd.Type

export class GatheredMessages extends RpcGroup.make(
  Rpc.make("Messages", {
    payload: { requests: Schema.Array(Envelope.PartialRequest) },
    success: Schema.Array(MessageEnd),
    stream: true
  })
) {}
