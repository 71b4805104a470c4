/**
 * How the attempts at an endpoint went, as two small pictures made on the server: delivered and failed attempts by the hour, and
 * the receiver's time. Each picture is said in a sentence, and all of its numbers stand in a table.
 */
import type { EndpointStatisticsResource } from "../../../schema/webhook/EndpointStatistics.ts"
import { html, type Html, type Shown } from "../../server/pages/html.ts"
import { listTable } from "../frame/lists.ts"
import { shownTime } from "../../server/pages/shownTime.ts"

/** Units of the pictures: one bar and its gap, and the height of the highest bar. */
const barStep = 10
const barWidth = 8
const height = 48

/** What is there is seen, however little it is. */
const scaled = (value: number, highest: number): number =>
  value === 0 || highest === 0 ? 0 : Math.max(2, Math.round((value / highest) * height))

const bar = (at: number, from: number, tall: number, kind: string): Shown =>
  tall > 0 &&
  html`<rect
    class="${kind}"
    x="${at * barStep}"
    y="${height - from - tall}"
    width="${barWidth}"
    height="${tall}"
  ></rect>`

const picture = (hours: number, bars: ReadonlyArray<Shown>): Html =>
  html`<svg viewBox="0 0 ${hours * barStep} ${height + 1}" preserveAspectRatio="none" aria-hidden="true" class="chart">
    ${bars}
    <rect class="ground" x="0" y="${height}" width="${hours * barStep}" height="1"></rect>
  </svg>`

const counted = ({ perHour }: EndpointStatisticsResource): Html => {
  const highest = Math.max(...perHour.map(({ delivered, failed }) => delivered + failed))
  return picture(
    perHour.length,
    perHour.map(({ delivered, failed }, at) => {
      const good = scaled(delivered, highest)
      return html`${bar(at, 0, good, "delivered")}
      ${bar(at, good, Math.min(scaled(failed, highest), height - good + 2), "failed")}`
    })
  )
}

const timed = ({ perHour }: EndpointStatisticsResource): Html => {
  const highest = Math.max(...perHour.map(({ p95Millis }) => p95Millis ?? 0))
  return picture(
    perHour.length,
    perHour.map(({ p50Millis, p95Millis }, at) => {
      const half = scaled(p50Millis ?? 0, highest)
      return html`${bar(at, 0, half, "half")}
      ${bar(at, half, Math.max(0, scaled(p95Millis ?? 0, highest) - half), "most")}`
    })
  )
}

const percent = (share: number): string =>
  share > 0.999 && share < 1 ? "over 99.9%" : `${Math.floor(share * 1000) / 10}%`

/** Only hours in which something was attempted have a row. */
const table = ({ perHour }: EndpointStatisticsResource): Html =>
  html`<details>
    <summary>The numbers of each hour</summary>
    ${listTable({
      caption: "Attempts by the hour; hours without an attempt are left out",
      head: ["Hour from", "Delivered", "Failed", "Half within (ms)", "95% within (ms)"],
      empty: null,
      rows: perHour
        .filter(({ delivered, failed }) => delivered + failed > 0)
        .map(({ delivered, failed, hour, p50Millis, p95Millis }) => [
          shownTime(hour),
          delivered,
          failed,
          p50Millis ?? "–",
          p95Millis ?? "–"
        ])
    })}
  </details>`

const waiting = ({ oldestPendingAt, pending }: EndpointStatisticsResource): Html =>
  html`<p>
    ${
      pending === 0 || oldestPendingAt === null
        ? "No event waits to be delivered."
        : html`${pending === 1 ? "1 event waits" : `${pending} events wait`} to be delivered; the oldest happened
          ${shownTime(oldestPendingAt)}.`
    }
  </p>`

/** `hours`: how far back the statistics go. */
export const attemptCharts = (statistics: EndpointStatisticsResource, withTable: boolean): Html => {
  const { delivered, failed, p50Millis, p95Millis, perHour, successRate } = statistics
  if (successRate === null) {
    return html`<p>Nothing was sent in the last ${perHour.length} hours.</p>
      ${waiting(statistics)}`
  }
  return html`<div class="charts">
      <figure>
        <figcaption>
          <strong>${percent(successRate)}</strong> of ${delivered + failed} attempts delivered in ${perHour.length}
          hours, ${failed} failed
        </figcaption>
        ${counted(statistics)}
      </figure>
      <figure>
        <figcaption>
          ${
            p50Millis === null || p95Millis === null
              ? "The receiver has not answered"
              : html`Half of the answers within <strong>${p50Millis} ms</strong>, 95% within
                  <strong>${p95Millis} ms</strong>`
          }
        </figcaption>
        ${timed(statistics)}
      </figure>
    </div>
    ${waiting(statistics)} ${withTable && table(statistics)}`
}
