/** A runner whose database answers and may only be read, as a standby does, is no runner that can work. */
import * as PgClient from "@effect/sql-pg/PgClient"
import { Effect, Layer, ManagedRuntime, Redacted } from "effect"
import * as Reactivity from "effect/reactivity/Reactivity"
import { expect, inject, it } from "vitest"
import { Fitness, layer } from "../../../../src/runtime/cluster/coordination/fitness.ts"
import { queryDirectly } from "../../../support/directly.ts"
import { eventually } from "../../../support/eventually.ts"
import { freshDatabase } from "../../../support/service.ts"

it("is not fit while its database takes no writes, and fit again when it does", async () => {
  const url = await freshDatabase()
  const name = new URL(url).pathname.slice(1)
  const connect = Layer.provide(PgClient.layerFrom(PgClient.make({ url: Redacted.make(url) })), Reactivity.layer)
  const runtime = ManagedRuntime.make(Layer.provide(layer, connect))
  const { isFit } = await runtime.runPromise(Effect.map(Fitness, (fitness) => fitness))
  /** Connections of before keep what they began with. */
  const become = async (readOnly: "on" | "off") => {
    await queryDirectly(inject("postgresUrl"), `alter database ${name} set default_transaction_read_only = ${readOnly}`)
    await queryDirectly(
      inject("postgresUrl"),
      "select pg_terminate_backend(pid) from pg_stat_activity where datname = $1",
      [name]
    )
  }
  try {
    expect(isFit()).toBe(true)
    await become("on")
    await eventually(isFit, (fit) => !fit)
    await become("off")
    await eventually(isFit, (fit) => fit)
  } finally {
    await runtime.dispose()
  }
})
