/**
 * Which events an endpoint wants (§6.1): everything, events by name, or whole groups. A group also covers events that are
 * added to it later. Each event is reached by a few selectors; the endpoint gets the event when it has chosen one of them.
 */
import { Schema } from "effect"
import { invalid } from "../decoding/bodyDecoder.ts"
import { jsonLimits } from "../decoding/limits.ts"
import { eventTypes, type EventType } from "../journey/events.ts"
import { memberOf } from "../decoding/record.ts"

export const everything = "*"

/** `identity.verified` is in the group `identity.*`; `ping` is in none. */
const groupOf = (type: EventType): string | null =>
  type.includes(".") ? `${type.slice(0, type.indexOf("."))}.*` : null

/** The selectors that reach an event of this type. */
export const selectorsOf = (type: EventType): ReadonlyArray<string> => {
  const group = groupOf(type)
  return group === null ? [everything, type] : [everything, type, group]
}

/** Every selector that an endpoint can choose. A ping is always sent; choosing it changes nothing. */
export const eventSelectors: ReadonlyArray<string> = [...new Set(eventTypes.flatMap(selectorsOf))]

/** There are too many selectors, and too many events, to list them all in a refusal. */
export const EventSelector = Schema.Literals(eventSelectors).annotate({
  identifier: "EventSelector",
  expected: "*, a whole group such as identity.*, or one event such as journey.created",
  description: "`*`, a whole group such as `identity.*` with events added to it later, or one event"
})

const groupsAndTypes = eventSelectors.filter((selector) => selector !== everything)

/** The name of one event. */
export const EventTypeParameter = Schema.Literals(eventTypes).annotate({
  description: "Only events of this type",
  expected: "the name of one event, such as journey.created"
})

/** The events that a list is asked for: several, by name or by group. */
export const EventTypesParameter = Schema.Array(
  Schema.Literals(groupsAndTypes).annotate({
    expected: "the name of one event, such as journey.created, or a group, such as identity.*"
  })
)
  .check(
    Schema.isMaxLength(jsonLimits.mostEntriesJudged, {
      message: `may be given at most ${jsonLimits.mostEntriesJudged} times`
    })
  )
  .annotate({ description: "Only events with these names, or of these groups, such as `identity.*`. May be repeated" })

/** The events that some of these selectors reach. */
export const typesSelectedBy = (selectors: ReadonlyArray<string>): ReadonlyArray<EventType> =>
  eventTypes.filter((type) => selectorsOf(type).some((selector) => selectors.includes(selector)))

export const isSelected = (selection: ReadonlyArray<string>, type: EventType): boolean =>
  type === "ping" || selectorsOf(type).some((selector) => selection.includes(selector))

/** The events of journeys: all but the ping, which has an operation of its own. */
export const journeyEventTypes = eventTypes.filter((type) => type !== "ping")
export const JourneyEventType = Schema.Literals(journeyEventTypes).annotate({
  expected: "the name of one event of a journey, such as journey.created"
})

/**
 * What is wrong with a list of names: it must name at least one, only known ones, and each once. The schema itself reports
 * unknown names among the first entries.
 */
export const brokenSelection = (body: unknown, field: string, names: ReadonlyArray<unknown>) => {
  const given = memberOf(body, field)
  if (!Array.isArray(given)) return []
  const isFine =
    given.length > 0 &&
    new Set(given).size === given.length &&
    given.slice(jsonLimits.mostEntriesJudged).every((name) => names.includes(name))
  return isFine
    ? []
    : [invalid(field, "must name at least one event, such as journey.created, each once and as it is written")]
}
