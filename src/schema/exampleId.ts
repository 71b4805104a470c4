/** Ids for examples: well-formed, invented and the same every time. `kind` keeps the ids of different things apart. */
import type {
  ApiKeyId,
  AttemptId,
  CheckId,
  ClockId,
  CompanyId,
  ConsoleSessionId,
  EndpointId,
  EventId,
  JourneyId,
  MailId,
  MemberId,
  PasskeyId
} from "./ids.ts"
const kinds = {
  journey: 1,
  company: 2,
  customer: 3,
  event: 4,
  endpoint: 5,
  apiKey: 6,
  change: 7,
  ledgerEntry: 8,
  mail: 9,
  resend: 10,
  submission: 11,
  check: 12,
  member: 21,
  consoleSession: 22,
  passkey: 23,
  operatorToken: 24,
  clock: 25,
  customerSession: 26,
  attempt: 27
}

/** The type of a thing's id. */
interface IdTypes {
  readonly journey: JourneyId
  readonly company: CompanyId
  readonly event: EventId
  readonly endpoint: EndpointId
  readonly clock: ClockId
  readonly apiKey: ApiKeyId
  readonly member: MemberId
  readonly consoleSession: ConsoleSessionId
  readonly passkey: PasskeyId
  readonly mail: MailId
  readonly attempt: AttemptId
  readonly check: CheckId
}

type IdOf<Kind> = Kind extends keyof IdTypes ? IdTypes[Kind] : string

export const exampleId = <Kind extends keyof typeof kinds>(kind: Kind, number: number): IdOf<Kind> =>
  // Examples are made here, so their types are given here.
  `019bc0a1-7c00-7${kinds[kind].toString().padStart(3, "0")}-8000-${number.toString(16).padStart(12, "0")}` as IdOf<Kind>
