/** How PostgreSQL runs a statement: what it reads, and how many pages. Not a test itself. */
import { Effect } from "effect"
import type { Statement } from "effect/sql"
import type { Service } from "./service.ts"

interface Node {
  readonly "Node Type": string
  readonly "Relation Name"?: string
  readonly "Actual Rows": number
  readonly "Actual Loops": number
  readonly "Rows Removed by Filter"?: number
  readonly "Shared Hit Blocks"?: number
  readonly "Shared Read Blocks"?: number
  readonly Plans?: ReadonlyArray<Node>
}

const nodesOf = (node: Node): ReadonlyArray<Node> => [node, ...(node.Plans ?? []).flatMap(nodesOf)]

export interface PlanOfRun {
  /** Each step of the plan, such as `Index Scan of audit`. */
  readonly steps: ReadonlyArray<string>
  readonly pages: number
  /** Rows that its steps gave to each other. */
  readonly rows: number
  /** Rows that were read and did not count. */
  readonly wasted: number
}

export const planOf = async (
  service: Pick<Service, "sql">,
  statement: Statement.Statement<object>
): Promise<PlanOfRun> => {
  const [text, values] = statement.compile()
  return Effect.runPromise(explained(service, text, values))
}

/** The same of a text, on the connection of the transaction in which it runs. */
export const explained = Effect.fnUntraced(function* (
  { sql }: Pick<Service, "sql">,
  text: string,
  values: ReadonlyArray<unknown> = []
) {
  const rows = yield* sql.unsafe<{ readonly "QUERY PLAN": ReadonlyArray<{ readonly Plan: Node }> }>(
    `explain (analyze, buffers, format json) ${text}`,
    values
  )
  const plan = rows[0]?.["QUERY PLAN"][0]?.Plan
  if (plan === undefined) throw new Error("no plan")
  const nodes = nodesOf(plan)
  const run: PlanOfRun = {
    steps: nodes.map((node) => [node["Node Type"], node["Relation Name"]].filter(Boolean).join(" of ")),
    pages: (plan["Shared Hit Blocks"] ?? 0) + (plan["Shared Read Blocks"] ?? 0),
    rows: nodes.reduce((sum, node) => sum + node["Actual Rows"] * node["Actual Loops"], 0),
    wasted: nodes.reduce((sum, node) => sum + (node["Rows Removed by Filter"] ?? 0), 0)
  }
  return run
})
