/**
 * How metrics are recorded: by a name of the catalogue and its labels, at once and without an Effect, because thousands are
 * recorded a second. A layer takes the meter once, when it is built. How metrics are exported (`/metrics`, OTLP) is not the
 * business of this file.
 */
import { Context, Effect, Metric, type Fiber, type Scope } from "effect"
import { metricCatalogue, type MetricCatalogue, type MetricDefinition } from "../../schema/installation/metrics.ts"

type NameOf<Kind extends MetricDefinition["kind"]> = {
  readonly [Name in keyof MetricCatalogue]: MetricCatalogue[Name]["kind"] extends Kind ? Name : never
}[keyof MetricCatalogue]

/** A value for each label; a label whose values are listed takes only those. */
type LabelsOf<Name extends keyof MetricCatalogue> = {
  readonly [
    Label in keyof MetricCatalogue[Name]["labels"]
  ]: MetricCatalogue[Name]["labels"][Label] extends ReadonlyArray<infer Value> ? Value : string
}

export interface Meter {
  readonly count: <Name extends NameOf<"counter">>(name: Name, labels: LabelsOf<Name>, amount?: number) => void
  readonly observe: <Name extends NameOf<"histogram">>(name: Name, labels: LabelsOf<Name>, value: number) => void
  readonly set: <Name extends NameOf<"gauge">>(name: Name, labels: LabelsOf<Name>, value: number) => void
  /** Adds to the value of a gauge. */
  readonly change: <Name extends NameOf<"gauge">>(name: Name, labels: LabelsOf<Name>, by: number) => void
  /** Calls `value` whenever the metric is read, until the scope closes. */
  readonly read: <Name extends NameOf<"counter" | "gauge">>(
    name: Name,
    labels: LabelsOf<Name>,
    value: () => number
  ) => Effect.Effect<void, never, Scope.Scope>
}

type Labels = Readonly<Record<string, string>>
type AnyMetric = Metric.Metric<number, unknown>

const isListed = (values: unknown): values is ReadonlyArray<string> => Array.isArray(values)

/**
 * Units as OTLP names them. A count is written in braces, which mean that it has no unit: a receiver that makes names of units for
 * Prometheus would call journeys_active journeys_active_items.
 */
const otlpUnits: Readonly<Record<MetricDefinition["unit"], string>> = { seconds: "s", bytes: "By", items: "{item}" }

/** The labels are attributes of the metric itself: those of `Metric.withAttributes` are merged anew at each update. */
const make = (name: keyof MetricCatalogue, labels: Labels): AnyMetric => {
  const definition: MetricDefinition = metricCatalogue[name]
  const options = { description: definition.meaning, attributes: { unit: otlpUnits[definition.unit], ...labels } }
  switch (definition.kind) {
    case "counter":
      return Metric.counter(name, { ...options, incremental: true })
    case "gauge":
      return Metric.gauge(name, options)
    case "histogram":
      return Metric.histogram(name, { ...options, boundaries: definition.buckets ?? [] })
  }
}

/** Every combination of the listed values of all labels; none for a metric with a label whose values are not listed. */
const combinations = (labels: MetricDefinition["labels"]): ReadonlyArray<Labels> =>
  Object.entries(labels).reduce<ReadonlyArray<Labels>>(
    (all, [label, values]) =>
      isListed(values) ? all.flatMap((one) => values.map((value) => ({ ...one, [label]: value }))) : [],
    [{}]
  )

const meterIn = (registry: Metric.MetricRegistry): Meter => {
  const context = Context.make(Metric.MetricRegistry, registry)
  const series = new Map<string, AnyMetric>()

  const seriesOf = (name: keyof MetricCatalogue, labels: Labels): AnyMetric => {
    let key: string = name
    for (const label in labels) key += `|${labels[label]}`
    let one = series.get(key)
    if (one === undefined) {
      one = make(name, labels)
      series.set(key, one)
    }
    return one
  }

  const update = (name: keyof MetricCatalogue, labels: Labels, value: number) =>
    seriesOf(name, labels).updateUnsafe(value, context)

  // A counter that appeared only with its first event would show no increase: so every known counter begins at zero.
  for (const [name, definition] of Object.entries(metricCatalogue)) {
    if (definition.kind !== "counter") continue
    for (const labels of combinations(definition.labels)) update(name as keyof MetricCatalogue, labels, 0)
  }

  return {
    count: (name, labels, amount = 1) => update(name, labels as Labels, amount),
    observe: (name, labels, value) => update(name, labels as Labels, value),
    set: (name, labels, value) => update(name, labels as Labels, value),
    change: (name, labels, by) => seriesOf(name, labels as Labels).modifyUnsafe(by, context),
    read: (name, labels, value) => {
      const isCounter = metricCatalogue[name].kind === "counter"
      const get = () => (isCounter ? { count: value(), incremental: true } : { value: value() })
      return Effect.asVoid(
        Effect.acquireRelease(
          Effect.sync(() =>
            Metric.registerUnsafe(seriesOf(name, labels as Labels), context, { get, update: ignore, modify: ignore })
          ),
          (registration) => Effect.sync(() => registration.remove())
        )
      )
    }
  }
}

const ignore = () => {}

const meters = new WeakMap<Metric.MetricRegistry, Meter>()

/** The meter of the service that a fiber belongs to. Several services in one process, as in tests, count apart. */
export const meterOf = (fiber: Fiber.Fiber<unknown, unknown>): Meter => {
  const registry = fiber.getRef(Metric.MetricRegistry)
  const known = meters.get(registry)
  if (known !== undefined) return known
  const made = meterIn(registry)
  meters.set(registry, made)
  return made
}

/** The meter of this service. */
export const currentMeter: Effect.Effect<Meter> = Effect.withFiberSucceed(meterOf)
