/**
 * A line of the list of journeys in the columns of a file: what the list shows first, then each member of the journey. A member of
 * `finance`, `identity` or `delivery` is a column of its own, such as `finance.status`; a journey without that part leaves it empty.
 */
import { Struct } from "effect"
import { ListedJourneyResource } from "../../../schema/company/ListedJourney.ts"
import {
  DeliveryResource,
  FinanceResource,
  IdentityResource,
  JourneyResource
} from "../../../schema/journey/resource.ts"

type Part = "delivery" | "finance" | "identity"

const parts: Readonly<Record<Part, ReadonlyArray<string>>> = {
  delivery: Object.keys(DeliveryResource.fields),
  finance: Object.keys(FinanceResource.fields),
  identity: Object.keys(IdentityResource.fields)
}

const isPart = (member: string): member is Part => Object.hasOwn(parts, member)

export const journeyColumns: ReadonlyArray<string> = [
  ...Object.keys(Struct.omit(ListedJourneyResource.fields, ["journey"])),
  ...Object.keys(JourneyResource.fields).flatMap((member) =>
    isPart(member) ? parts[member].map((inPart) => `${member}.${inPart}`) : [member]
  )
]

export const lineOfJourney = ({ journey, ...listed }: ListedJourneyResource): Readonly<Record<string, unknown>> => ({
  ...listed,
  ...Object.fromEntries(
    Object.entries(journey).flatMap(([member, value]) =>
      isPart(member)
        ? Object.entries(value ?? {}).map(([inPart, one]) => [`${member}.${inPart}`, one])
        : [[member, value]]
    )
  )
})
