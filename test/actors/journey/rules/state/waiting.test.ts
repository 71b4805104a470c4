/** The nextAction table of the decisions document, read off the resource as a caller would, in every reachable state. */
import { describe, expect, it } from "vitest"
import { journeyResource } from "../../../../../src/actors/journey/rules/projection.ts"
import type { JourneyResource } from "../../../../../src/schema/journey/resource.ts"
import { described, reachableStates, type Reached } from "../reachableStates.ts"

interface Row {
  readonly name: string
  /** A caller sees from `nextAction` alone that the check of a cash sale is being started. */
  readonly holds: (journey: JourneyResource, identity: Reached["journey"]["identity"]) => boolean
  readonly nextAction: JourneyResource["nextAction"]
}

const among = (value: unknown, ...values: ReadonlyArray<unknown>): boolean => values.includes(value)
const isWithIdentity = ({ type }: JourneyResource): boolean => type !== "DELIVERY"
const isPending = ({ finance }: JourneyResource): boolean => among(finance?.status, "SUBMITTED", "REFERRED")

/** The first row that holds wins. */
const rows: ReadonlyArray<Row> = [
  { name: "a finished journey", holds: ({ status }) => status !== "ACTIVE", nextAction: null },
  {
    name: "the caller's decision is open",
    holds: (journey) => journey.finance?.panelSubmission === "ALREADY_SUBMITTED" && isPending(journey),
    nextAction: "SEND_FINANCE_DECISION"
  },
  {
    name: "the identity check is unavailable",
    holds: (journey) => isWithIdentity(journey) && journey.identity?.status === "UNAVAILABLE",
    nextAction: "DEALER_TO_REVIEW"
  },
  {
    name: "the customer is at the identity check",
    holds: (journey) => isWithIdentity(journey) && among(journey.identity?.status, "REQUESTED", "FAILED"),
    nextAction: "CUSTOMER_TO_VERIFY_IDENTITY"
  },
  {
    name: "a reviewer is at the identity check",
    holds: (journey) => isWithIdentity(journey) && journey.identity?.status === "UNDER_REVIEW",
    nextAction: "IDENTITY_UNDER_REVIEW"
  },
  {
    name: "only the panel's decision is open",
    holds: (journey) => journey.finance?.panelSubmission === "SUBMIT_VIA_MIRA" && isPending(journey),
    nextAction: "AWAITING_LENDER_DECISION"
  },
  {
    name: "an outside provider is asked to start the check",
    holds: (journey) => isWithIdentity(journey) && journey.identity?.status === null,
    nextAction: null
  },
  {
    name: "both gates are open and no handover exists",
    holds: (journey) => isWithIdentity(journey) && journey.delivery === null,
    nextAction: "HANDOVER_BEING_CREATED"
  },
  {
    name: "an outside provider is asked to start the check of a cash sale",
    holds: ({ delivery }, identity) => delivery?.status === "AWAITING_IDENTITY" && identity?.status === "BEING_STARTED",
    nextAction: null
  },
  {
    name: "the customer is at the identity check of a cash sale",
    holds: ({ delivery }) => delivery?.status === "AWAITING_IDENTITY",
    nextAction: "CUSTOMER_TO_VERIFY_IDENTITY"
  },
  {
    name: "the identity check of a cash sale is with the team",
    holds: ({ delivery }) => among(delivery?.status, "IDENTITY_UNDER_REVIEW", "IDENTITY_UNAVAILABLE"),
    nextAction: "DEALER_TO_REVIEW"
  },
  {
    name: "the address is not confirmed",
    holds: ({ delivery }) => delivery?.status === "AWAITING_LOCATION",
    nextAction: "CUSTOMER_TO_CONFIRM_ADDRESS"
  },
  {
    name: "the video is not recorded",
    holds: ({ delivery }) => delivery?.status === "AWAITING_VIDEO",
    nextAction: "CUSTOMER_TO_RECORD_VIDEO"
  },
  {
    name: "the video is being checked",
    holds: ({ delivery }) => delivery?.status === "VIDEO_UPLOADED",
    nextAction: null
  },
  {
    name: "the team is at the video",
    holds: ({ delivery }) => delivery?.status === "UNDER_REVIEW",
    nextAction: "DEALER_TO_REVIEW"
  }
]

describe("nextAction", () => {
  const states = reachableStates.map((reached) => {
    const resource = journeyResource(reached.journey)
    return { reached, resource, row: rows.find(({ holds }) => holds(resource, reached.journey.identity)) }
  })

  it.each(rows)("is $nextAction when $name", (row) => {
    const matching = states.filter((state) => state.row === row)
    expect(matching.length).toBeGreaterThan(0)
    for (const { reached, resource } of matching) expect(resource.nextAction, described(reached)).toBe(row.nextAction)
  })

  it("has a row for every reachable state", () => {
    expect(states.filter(({ row }) => row === undefined)).toEqual([])
  })
})
