/** A journey's log as it was written, and what every log keeps to. */
import { expect } from "vitest"
import type { Service } from "../../../support/service.ts"

export interface WrittenEvent {
  readonly sequence: number
  readonly type: string
  readonly body: string
  readonly created_at: Date
}

export const eventsOf = (service: Service, journeyId: string): Promise<ReadonlyArray<WrittenEvent>> =>
  service.query<WrittenEvent>(
    "select sequence, type, body, created_at from events where journey_id = $1 order by sequence",
    [journeyId]
  )

export const eventTypesOf = async (service: Service, journeyId: string): Promise<ReadonlyArray<string>> =>
  (await eventsOf(service, journeyId)).map(({ type }) => type)

const endings = new Set(["journey.completed", "journey.cancelled", "journey.expired"])

/** Numbered without gaps, strictly rising in time, begun once, ended at most once and then silent (INV-6, INV-8). */
export const expectLegalHistory = async (service: Service, journeyId: string): Promise<ReadonlyArray<string>> => {
  const events = await eventsOf(service, journeyId)
  expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, at) => at + 1))
  const times = events.map((event) => event.created_at.getTime())
  for (let at = 1; at < times.length; at++) expect(times[at]).toBeGreaterThan(times[at - 1] ?? 0)
  const types = events.map(({ type }) => type)
  expect(types[0]).toBe("journey.created")
  expect(types.filter((type) => type === "journey.created")).toHaveLength(1)
  const [row] = await service.query<{ status: string; version: number; lines: number }>(
    `select status, version, (select count(*)::int from journal where journey_id = $1) as lines from journeys where id = $1`,
    [journeyId]
  )
  expect(row?.lines).toBe(row?.version)
  const ended = types.filter((type) => endings.has(type))
  expect(ended).toEqual(row?.status === "ACTIVE" ? [] : [`journey.${row?.status.toLowerCase()}`])
  if (ended.length > 0) expect(types.at(-1)).toBe(ended[0])
  for (const { body, created_at, type } of events) {
    expect(JSON.parse(body)).toMatchObject({ type, createdAt: created_at.toISOString(), data: { journeyId } })
  }
  return types
}
