/** How `npm run bench` prints a measurement: a line of a table. */
interface Line {
  readonly rate: number
  readonly p50: number
  readonly p99: number
  readonly failures: number
  readonly cpu: { readonly service?: number; readonly postgres: number }
}

const name = 40
const heads = ["conns", "per second", "p50 ms", "p99 ms", "CPU µs", "+ PostgreSQL"]

export const head = (title: string): string => title.padEnd(name) + heads.map((text) => text.padStart(13)).join("")

export const line = (title: string, connections: number, { cpu, failures, p50, p99, rate }: Line): string =>
  [
    title.padEnd(name),
    ...[
      String(connections),
      rate.toFixed(0),
      p50.toFixed(2),
      p99.toFixed(2),
      cpu.service?.toFixed(0) ?? "",
      cpu.postgres.toFixed(0)
    ].map((text) => text.padStart(13)),
    failures === 0 ? "" : `   ${failures} failed`
  ].join("")

/** A line of work that nobody waits for. */
export const workLine = (
  title: string,
  rate: number,
  { postgres, service }: { readonly service: number; readonly postgres: number }
): string =>
  title.padEnd(name) +
  ["", rate.toFixed(0), "", "", service.toFixed(0), postgres.toFixed(0)].map((text) => text.padStart(13)).join("")

/** The line in the middle of those of several rounds, by its rate. */
export const middle = <A extends { readonly rate: number }>(rounds: ReadonlyArray<A>): A | undefined =>
  rounds.toSorted((a, b) => a.rate - b.rate)[Math.floor(rounds.length / 2)]
