/** The limits of the cluster: leases and looks of the runners, connections between nodes and their proof, and memory. */
import { Duration } from "effect"
import { journeyActorLimits } from "../../actors/journey/actor/limits.ts"
import { webhookLimits } from "../../schema/webhook/limits.ts"

export const memoryLimits = {
  /** Actors that a node keeps in memory, of both kinds together. */
  mostActors: journeyActorLimits.mostInMemory + webhookLimits.residentEndpoints
} as const

export const clusterLimits = {
  /** Short enough for a take-over within 10 s, long enough to outlive a pause of the process or a reconnect. */
  leaseLasts: Duration.seconds(6),
  /** Four times in the life of a lease. A call that takes longer has failed, and the actors stop before the lease ends. */
  leaseRefreshEvery: Duration.millis(1500),
  /** The pause between looks at who the runners are. */
  lookEvery: Duration.millis(500),
  /** The pause between tries for shards that another runner still holds, and after a try that failed. */
  tryShardsEvery: Duration.seconds(1),
  /** The pause between checks whether runners can be reached by others. A dead runner loses its lease anyway. */
  pingEvery: Duration.seconds(2),
  /** A ping that takes longer has failed. A busy node answers late, and moving its shards would make it worse. */
  pingWithin: Duration.seconds(2),
  /** Pings after the first that must fail before a runner that renews its leases counts as unreachable. */
  pingRetries: 2,
  /** Actors get this long to finish their message when a node stops: a commit is known after 4 s, an attempt is cut off after 5. */
  actorsEndWithin: journeyActorLimits.messagesEndWithin,
  /** The pause between tries to send a message whose shard is between two runners. */
  sendAgainEvery: Duration.millis(100),
  /** One message between nodes. A photo of 5 MB is 6.7 MB in base64; the clean photo is smaller. */
  largestMessageBytes: 8 * 1024 * 1024,
  /** A connection to another node is open after this time, or the node counts as unavailable for the moment. */
  openWithin: Duration.seconds(1),
  /** A runner that starts waits this long for each other runner to take its proof or to refuse it. A busy one takes some hundred milliseconds. */
  provesAtStartWithin: Duration.seconds(2),
  /** A connection that is silent for this long is given up; pings come more often. */
  silentFor: Duration.millis(5500)
} as const

export const proofLimits = {
  /** Of the key that both ends of a connection have: as many as the cipher's own key has (ChaCha20). */
  keyBytes: 32,
  /** Of the name of a key: two keys never share a name by chance, and three names fit into one hint of TLS (128 characters). */
  identityBytes: 16,
  /** Keys that a node takes at once: the names of so many fit into one hint. */
  mostKeys: 3,
  /** From the connection to the proof. Two nodes need milliseconds; a busy one some hundred. */
  proveWithin: Duration.seconds(5),
  /** Connections that have proven nothing yet. A new one puts out the oldest, so that silent ones keep no node out. */
  mostUnproven: 256,
  /** Refused connections are counted in one line of the log. Whoever knocks all the time fills no log. */
  refusalsLoggedEvery: Duration.minutes(1)
} as const
