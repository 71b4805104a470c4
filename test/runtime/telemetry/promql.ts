/** As much of PromQL and of the text format as the tests of our own files need: names, labels, and what they are held to. */
import {
  clusterMetricCatalogue,
  metricCatalogue,
  type MetricDefinition
} from "../../../src/schema/installation/metrics.ts"

export const catalogue: Readonly<Record<string, MetricDefinition>> = { ...metricCatalogue, ...clusterMetricCatalogue }

/** Labels that Prometheus gives to every series, and to the buckets of a histogram. */
const given = ["instance", "job", "le"]

/** The metric a series belongs to: histograms have three kinds. Null when the catalogue has none. */
export const metricOf = (series: string): string | null => {
  if (series in catalogue) return catalogue[series]?.kind === "histogram" ? null : series
  const base = series.replace(/_(?:bucket|sum|count)$/, "")
  return catalogue[base]?.kind === "histogram" ? base : null
}

export interface Selector {
  readonly series: string
  readonly matchers: ReadonlyArray<{ readonly label: string; readonly values: ReadonlyArray<string> }>
}

/** Series of an expression; `up` is Prometheus's own. */
export const selectorsOf = (expression: string): ReadonlyArray<Selector> =>
  [...expression.matchAll(/\b((?:journeys|effect_cluster|process)_[a-z0-9_]+)(?:\{([^}]*)\})?/g)].map(
    ([, series = "", matchers = ""]) => ({
      series,
      matchers: [...matchers.matchAll(/(\w+)\s*(?:=~|!~|!=|=)\s*"([^"]*)"/g)].map(([, label = "", values = ""]) => ({
        label,
        values: values.split("|")
      }))
    })
  )

const groupsOf = (expression: string): ReadonlyArray<string> =>
  [...expression.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, labels = ""]) => labels.split(",").map((one) => one.trim()))

/** Everything about an expression that the catalogue does not know; `shown`: labels its legend or text uses. */
export const strangersIn = (expression: string, shown: ReadonlyArray<string> = []): ReadonlyArray<string> => {
  const selectors = selectorsOf(expression)
  if (selectors.length === 0) return /\bup\{job="journeys"\}/.test(expression) ? [] : [`no metric in ${expression}`]
  const known = new Set(given)
  const wrong: Array<string> = []
  for (const { matchers, series } of selectors) {
    const definition = catalogue[metricOf(series) ?? ""]
    if (definition === undefined) {
      wrong.push(series)
      continue
    }
    for (const label of Object.keys(definition.labels)) known.add(label)
    for (const { label, values } of matchers) {
      const listed: unknown = definition.labels[label]
      if (listed === undefined && !given.includes(label)) wrong.push(`${series}{${label}}`)
      if (!Array.isArray(listed)) continue
      for (const value of values) if (!listed.includes(value)) wrong.push(`${series}{${label}="${value}"}`)
    }
  }
  return [...wrong, ...[...groupsOf(expression), ...shown].filter((label) => !known.has(label))]
}

export interface Sample {
  readonly series: string
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

export interface Family {
  readonly name: string
  readonly type: string
  readonly samples: ReadonlyArray<Sample>
}

const sampleLine =
  /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{((?:[a-zA-Z_]\w*="(?:[^"\\\n]|\\.)*",?)*)\})? (-?[0-9.eE+-]+|NaN|[+-]Inf)$/

/** The families of an answer; throws at a line that is none of the format's. */
export const familiesOf = (text: string): ReadonlyArray<Family> => {
  if (!text.endsWith("\n")) throw new Error("the last line does not end")
  const families: Array<{ name: string; type: string; samples: Array<Sample> }> = []
  for (const line of text.trimEnd().split("\n")) {
    const [, declared, type] = /^# TYPE (\S+) (counter|gauge|histogram)$/.exec(line) ?? []
    if (declared !== undefined && type !== undefined) {
      if (families.some(({ name }) => name === declared)) throw new Error(`declared twice: ${declared}`)
      families.push({ name: declared, type, samples: [] })
    } else if (!line.startsWith("# HELP ")) {
      const [, series, labels = "", value = ""] = sampleLine.exec(line) ?? []
      const family = families.at(-1)
      if (series === undefined || family === undefined) throw new Error(`no line of the format: ${line}`)
      if (!series.startsWith(family.name)) throw new Error(`${series} is not declared`)
      const pairs = [...labels.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, label, text]) => [label, text] as const)
      family.samples.push({
        series,
        labels: Object.fromEntries(pairs),
        value: Number(value.replace("Inf", "Infinity"))
      })
    }
  }
  return families
}
