/** How the installation is: the nodes that run it, and how much is open over all companies. */
import { Effect } from "effect"
import { HttpApiEndpoint } from "effect/http-api"
import { OpenWork } from "../../../actors/installation/OpenWork.ts"
import { RunnerList } from "../../../actors/installation/RunnerList.ts"
import { installationLimits } from "../../../schema/installation/limits.ts"
import { OpenWorkResource } from "../../../schema/installation/OpenWork.ts"
import { RunnerListResource } from "../../../schema/installation/RunnerList.ts"
import { timestampOrNull } from "../../../schema/moment.ts"
import { ofAnyToken } from "../../server/answers/commonRefusals.ts"
import { answer, described } from "../../server/endpoints/described.ts"
import { answerOf, refusedWith } from "../../server/answers/envelope.ts"
import { operatorResource } from "../../server/endpoints/serve.ts"

const since = "2026-01-15T10:31:07.218Z"

const listRunners = HttpApiEndpoint.get("listRunners", "/settings/v1/runners", {
  success: answerOf("RunnerListAnswer", RunnerListResource),
  error: refusedWith(ofAnyToken)
}).annotateMerge(
  described({
    summary: "List runners",
    description:
      "The nodes that run journeys, and the shards that each holds. While Redis is away nobody knows, and the answer is TEMPORARILY_UNAVAILABLE.",
    answer: {
      description: "The runners",
      message: "Runners",
      examples: {
        Several: {
          summary: "Two nodes",
          value: {
            nodes: "SEVERAL",
            answeredBy: "10.0.0.4:34431",
            shards: 300,
            shardsWithoutRunner: 0,
            content: [
              { address: "10.0.0.4:34431", healthy: true, since, shards: 150 },
              { address: "10.0.0.5:34431", healthy: true, since, shards: 150 }
            ]
          } satisfies RunnerListResource
        },
        One: {
          summary: "A node that is alone",
          value: {
            nodes: "ONE",
            answeredBy: null,
            shards: 300,
            shardsWithoutRunner: 0,
            content: [{ address: null, healthy: true, since, shards: 300 }]
          } satisfies RunnerListResource
        }
      }
    }
  })
)

const getOpenWork = HttpApiEndpoint.get("getOpenWork", "/settings/v1/open-work", {
  success: answerOf("OpenWorkAnswer", OpenWorkResource),
  error: refusedWith(ofAnyToken)
}).annotateMerge(
  described({
    summary: "Count open work",
    description: `What is open over all companies. No count goes beyond ${installationLimits.countedTo}, so that asking stays cheap.`,
    answer: answer("The counts", "Open work", {
      countedTo: installationLimits.countedTo,
      activeJourneys: installationLimits.countedTo,
      setAsideJourneys: 1,
      failingEndpoints: 2,
      alarms: { waiting: installationLimits.countedTo, oldestDue: null },
      deliveries: { waiting: 12, oldestDue: since },
      mails: { waiting: 0, oldestDue: null }
    } satisfies OpenWorkResource)
  })
)

const queueResource = ({ oldestDue, waiting }: { readonly oldestDue: number | null; readonly waiting: number }) => ({
  waiting,
  oldestDue: timestampOrNull(oldestDue)
})

export const installationOperations = operatorResource([listRunners, getOpenWork], {
  listRunners: () =>
    Effect.gen(function* () {
      const { answeredBy, nodes, runners, shards } = yield* RunnerList
      const found = yield* runners
      const taken = found.reduce((sum, runner) => sum + runner.shards, 0)
      return {
        nodes,
        answeredBy,
        shards,
        shardsWithoutRunner: Math.max(0, shards - taken),
        content: found.map(({ address, healthy, shards: held, since }) => ({
          address,
          healthy,
          since: timestampOrNull(since),
          shards: held
        }))
      }
    }),

  getOpenWork: () =>
    Effect.gen(function* () {
      const open = yield* OpenWork
      const { alarms, deliveries, mails, ...counts } = yield* open.counts
      return {
        countedTo: installationLimits.countedTo,
        ...counts,
        alarms: queueResource(alarms),
        deliveries: queueResource(deliveries),
        mails: queueResource(mails)
      }
    })
})
