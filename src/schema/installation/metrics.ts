/**
 * Every metric of this service, with its kind, unit, labels and meaning. `/metrics`, the dashboard and the alert rules
 * use these names. A label either lists its values or describes them; in both cases they are few, and none is an id, a
 * name or an address. The code counts where things happen, through the Meter.
 */
import { failureClasses } from "../failureClass.ts"
import { JourneyStatus, JourneyType } from "../journey/statuses.ts"
import { TurnsOutcome } from "../media/headTurns.ts"
import { waitingOn } from "../journey/steps.ts"

type LabelValues = ReadonlyArray<string> | string

export interface MetricDefinition {
  readonly kind: "counter" | "gauge" | "histogram"
  readonly unit: "seconds" | "bytes" | "items"
  /** The values, or a description of them. */
  readonly labels: Readonly<Record<string, LabelValues>>
  readonly meaning: string
  /** Upper bounds of a histogram's buckets, in the unit. */
  readonly buckets?: ReadonlyArray<number>
}

/** The last bound is the longest that anybody waits. */
const latencies = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
/** For providers and the video check. The last bound is the longest attempt. */
const providerLatencies = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 150]
/** A batch has at most 128 items. */
const sizes = [1, 2, 4, 8, 16, 32, 64, 128]
/** From zero to the end of the retry schedule, almost two days. */
const lags = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 60, 300, 1800, 7200, 43_200, 172_800]

const histogram = <const Labels extends Readonly<Record<string, LabelValues>>>(
  unit: MetricDefinition["unit"],
  buckets: ReadonlyArray<number>,
  labels: Labels,
  meaning: string
) => ({ kind: "histogram" as const, unit, buckets, labels, meaning })

const counter = <const Labels extends Readonly<Record<string, LabelValues>>>(
  unit: MetricDefinition["unit"],
  labels: Labels,
  meaning: string
) => ({ kind: "counter" as const, unit, labels, meaning })

const gauge = <const Labels extends Readonly<Record<string, LabelValues>>>(
  unit: MetricDefinition["unit"],
  labels: Labels,
  meaning: string
) => ({ kind: "gauge" as const, unit, labels, meaning })

const modes = ["LIVE", "TEST"] as const
const batch = "what is written or read in groups, such as JourneyStore.commit"
const entity = "Journey or Endpoint"

/** Work that is stored in the database with the time at which it is due. */
export const dueWork = ["ALARM", "DELIVERY", "MAIL", "ERASURE"] as const

/** Work of a journey that somebody else does: the finance panel, the identity provider, the video check. */
export const externalWork = ["SUBMIT_APPLICATION", "START_IDENTITY_CHECK", "CHECK_VIDEO", "DELETE_BIOMETRICS"] as const

/** The outcome of an attempt: delivered, an answer other than 2xx, or the reason why there was no answer. */
export const attemptOutcomes = ["DELIVERED", "OTHER_STATUS", ...Object.keys(failureClasses)] as const

/** What keeps the database from its work. But for UNREACHABLE the database answers, and a look that only reads notices nothing. */
export const databaseTroubles = ["DISK_FULL", "READ_ONLY", "OUT_OF_MEMORY", "NO_CONNECTIONS", "UNREACHABLE"] as const

export const metricCatalogue = {
  journeys_http_request_seconds: histogram(
    "seconds",
    latencies,
    {
      method: "HTTP method",
      route: "path of the route with its parameters as {name}; unmatched where none answers",
      status: ["2xx", "3xx", "4xx", "5xx", "none"]
    },
    "Requests by route, and how long each took; none: the connection was dropped without an answer"
  ),
  journeys_http_requests_in_flight: gauge("items", {}, "Requests being answered now"),
  journeys_message_seconds: histogram(
    "seconds",
    latencies,
    {
      message: "kind of message to a journey",
      outcome: ["DONE", "REFUSED", "IGNORED", "NO_JOURNEY", "ID_REUSED", "CONFLICT", "UNAVAILABLE", "UNKNOWN", "FAILED"]
    },
    "Messages that journeys handled, from taking one up to its commit; UNKNOWN: its commit's outcome is not known"
  ),
  journeys_started_total: counter("items", { type: JourneyType.literals, mode: modes }, "Journeys that were started"),
  journeys_ended_total: counter(
    "items",
    { type: JourneyType.literals, mode: modes, status: JourneyStatus.literals.filter((status) => status !== "ACTIVE") },
    "Journeys that ended, by how"
  ),
  journeys_batch_items: histogram("items", sizes, { batch }, "Items that shared one statement"),
  journeys_batch_statement_seconds: histogram(
    "seconds",
    latencies,
    { batch, outcome: ["DONE", "FAILED"] },
    "Statements for a batch, and how long each took"
  ),
  journeys_batch_answer_seconds: histogram(
    "seconds",
    latencies,
    { batch },
    "From handing an item over to its answer: of JourneyStore.commit the latency of a commit"
  ),
  journeys_in_memory: gauge("items", {}, "Journeys whose actors this node keeps in memory"),
  journeys_batch_waiting: gauge("items", { batch }, "Items that wait to be put into a statement"),
  journeys_due_work_age_seconds: gauge(
    "seconds",
    { work: dueWork },
    "How long the oldest work that is due has been due, in the whole database; 0: nothing is overdue"
  ),
  journeys_set_aside: gauge("items", {}, "Journeys set aside because they cannot be woken, in the whole database"),
  journeys_active: gauge(
    "items",
    { type: JourneyType.literals, waiting_on: waitingOn },
    "Active journeys by what they wait on, in the whole database, each number counted up to a limit"
  ),
  journeys_months_ahead: gauge(
    "items",
    {},
    "Months after this one for which every table that is cut into months has room; 0: next month's rows have no month"
  ),
  journeys_rows_without_month: gauge(
    "items",
    { table: ["journal", "events", "attempts"] },
    "Rows of a table that is cut into months which no month takes, counted up to a limit"
  ),
  journeys_wallets_unbalanced: gauge(
    "items",
    {},
    "Wallets whose balance is not the sum of their ledger, or whose held credits are not those of their journeys, as the node counted within the last hour"
  ),
  journeys_database_numbers_age_seconds: gauge(
    "seconds",
    {},
    "How old the numbers about the whole database are; it grows while the database does not answer"
  ),
  journeys_database_clock_ahead_seconds: gauge(
    "seconds",
    {},
    "How far the database's clock is surely ahead of this node's; negative: behind; while the database is away as it was last"
  ),
  journeys_database_troubles_total: counter(
    "items",
    { reason: databaseTroubles },
    "Statements that the database did not take through no fault of theirs, by why"
  ),
  journeys_owed_attempt_seconds: histogram(
    "seconds",
    providerLatencies,
    { kind: externalWork, outcome: ["DONE", "FAILED", "REFUSED"] },
    "Attempts at what journeys owe others, and how long each took; REFUSED: another attempt would come to the same"
  ),
  journeys_delivery_attempt_seconds: histogram(
    "seconds",
    latencies,
    { outcome: attemptOutcomes },
    "Attempts to deliver an event, by what each came to"
  ),
  journeys_delivery_lag_seconds: histogram(
    "seconds",
    lags,
    {},
    "From an event to its delivery; what is resent by hand is not counted"
  ),
  journeys_deliveries_given_up_total: counter("items", {}, "Deliveries given up after their last attempt"),
  journeys_endpoints_turned_off_total: counter(
    "items",
    {},
    "Endpoints turned off: nothing reached them for three days"
  ),
  journeys_mails_total: counter(
    "items",
    { outcome: ["SENT", "FAILED", "POSTPONED", "GIVEN_UP", "STRUCK_OFF"] },
    "Tries to send a mail"
  ),
  journeys_rate_limit_decisions_total: counter(
    "items",
    { bucket: ["KEY", "ADDRESS"], decision: ["ADMITTED", "REFUSED"] },
    "Decisions of the rate limiter: requests of a key, and requests of an address without a valid key"
  ),
  journeys_rate_limit_fallbacks_total: counter(
    "items",
    {},
    "Decisions made by this node alone, because Redis did not answer"
  ),
  journeys_request_log_dropped_total: counter(
    "items",
    {},
    "Lines of the request log that were dropped: too many waited, or the database did not take them"
  ),
  journeys_body_bytes_held: gauge("bytes", {}, "Room that large bodies take in memory"),
  journeys_bodies_refused_total: counter(
    "items",
    { reason: ["NO_ROOM", "NO_PLACE_FOR_PHOTO", "TOO_SLOW"] },
    "Large bodies that were refused: the node, the company or the key held as much as it may, as many photos of the company waited as may, or too little came"
  ),
  journeys_large_json_waiting: gauge("items", {}, "Large JSON bodies that wait until their company has its turn"),
  journeys_lists_waiting: gauge("items", {}, "Lists that wait until their company has its turn"),
  journeys_requests_waiting: gauge("items", {}, "Requests that wait for a turn of the event loop"),
  journeys_photos_waiting: gauge("items", {}, "Photos that wait for a process"),
  journeys_photo_seconds: histogram(
    "seconds",
    latencies,
    { outcome: ["LOOKED_AT", "UNAVAILABLE"] },
    "Photos that were looked at, waiting included; UNAVAILABLE: no thread was free, or it failed"
  ),
  journeys_video_turns_total: counter(
    "items",
    { outcome: TurnsOutcome.literals },
    "Handover videos by what their frames say about the turns of the head that were asked for; all but MET go to a person"
  ),
  journeys_documents_waiting: gauge("items", {}, "Identity documents that wait for the reader"),
  journeys_document_seconds: histogram(
    "seconds",
    latencies,
    { outcome: ["FITS", "NOTHING", "IN_DOUBT"] },
    "Identity documents that were read, waiting left out; FITS: names and birth date are the customer's, NOTHING: nothing to compare, IN_DOUBT: a person decides"
  ),
  journeys_event_loop_delay_p99_seconds: gauge(
    "seconds",
    {},
    "99th percentile of the event loop's delay since the last look"
  ),
  journeys_event_loop_delay_max_seconds: gauge("seconds", {}, "Longest delay of the event loop since the last look"),
  process_resident_memory_bytes: gauge("bytes", {}, "Memory of this process"),
  process_cpu_seconds_total: counter("seconds", {}, "CPU time of this process, all threads"),
  process_start_time_seconds: gauge("seconds", {}, "When this process started, in seconds since 1970")
} as const satisfies Readonly<Record<string, MetricDefinition>>

/**
 * The metrics of Effect Cluster, under its own names. Each is about this node; the sum over all nodes is about the
 * cluster.
 */
export const clusterMetricCatalogue = {
  effect_cluster_entities: gauge(
    "items",
    { type: entity },
    "Actors that the cluster keeps: of journeys, the doors for other nodes' messages"
  ),
  effect_cluster_entity_mailbox_size_max: gauge("items", { type: entity }, "Messages in the fullest mailbox"),
  effect_cluster_singletons: gauge("items", {}, "Singletons that run on this node"),
  effect_cluster_runners: gauge("items", {}, "1: this node is a runner; 0: it takes requests only"),
  effect_cluster_runners_healthy: gauge("items", {}, "1: this node is a runner, and the cluster counts on it"),
  effect_cluster_shards: gauge("items", {}, "Shards this node holds"),
  effect_cluster_shards_releasing: gauge("items", {}, "Shards this node is giving away")
} as const satisfies Readonly<Record<string, MetricDefinition>>

export type MetricCatalogue = typeof metricCatalogue
