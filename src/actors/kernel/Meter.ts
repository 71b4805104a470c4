/**
 * How numbers are written down: by a name of the catalogue and its labels, at once, without an Effect, for thousands a
 * second. Where they are read (`/metrics`, OTLP) is not its business. It is taken once, when a layer is built.
 */
import { Context, Effect, Metric, type Scope } from "effect"
import { metricCatalogue, type MetricCatalogue, type MetricDefinition } from "../../schema/metrics.ts"

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
  /** Adds to what a gauge says. */
  readonly change: <Name extends NameOf<"gauge">>(name: Name, labels: LabelsOf<Name>, by: number) => void
  /** The value is asked for whenever somebody reads, until the scope closes. */
  readonly read: <Name extends NameOf<"counter" | "gauge">>(
    name: Name,
    labels: LabelsOf<Name>,
    value: () => number
  ) => Effect.Effect<void, never, Scope.Scope>
}

type Labels = Readonly<Record<string, string>>
type AnyMetric = Metric.Metric<number, unknown>

const isListed = (values: unknown): values is ReadonlyArray<string> => Array.isArray(values)

const make = (name: keyof MetricCatalogue): AnyMetric => {
  const definition: MetricDefinition = metricCatalogue[name]
  const options = { description: definition.meaning, attributes: { unit: definition.unit } }
  switch (definition.kind) {
    case "counter":
      return Metric.counter(name, { ...options, incremental: true })
    case "gauge":
      return Metric.gauge(name, options)
    case "histogram":
      return Metric.histogram(name, { ...options, boundaries: definition.buckets ?? [] })
  }
}

/** Every combination of labels whose values are listed; none for a metric that has another label. */
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
      one = Metric.withAttributes(make(name), labels)
      series.set(key, one)
    }
    return one
  }

  const update = (name: keyof MetricCatalogue, labels: Labels, value: number) =>
    seriesOf(name, labels).updateUnsafe(value, context)

  // A counter that appears with its first event has no increase to be seen: it begins at nothing.
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

/** The meter of this service: services in one process, as tests have them, count apart. */
export const currentMeter: Effect.Effect<Meter> = Effect.map(Metric.MetricRegistry, (registry) => {
  const known = meters.get(registry)
  if (known !== undefined) return known
  const made = meterIn(registry)
  meters.set(registry, made)
  return made
})
