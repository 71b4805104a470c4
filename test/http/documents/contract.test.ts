import { describe, expect, it } from "vitest"
import { callbackRoutes } from "../../../src/http/api/callbacks/callbacks.ts"
import { documentRoutes } from "../../../src/http/ops/documentRoutes.ts"
import { integratorRoutes } from "../../../src/http/api/integrators.ts"
import { settingsRoutes } from "../../../src/http/api/settings.ts"
import { codesAt, documents, operations, operationsIn } from "./document.ts"

const written = ({ method, path }: { readonly method: string; readonly path: string }): string =>
  `${method} ${path.replaceAll(/:(\w+)/g, "{$1}")}`

describe("the contract", () => {
  it.each([
    ["integrators", integratorRoutes, "/api/v1/"],
    ["settings", settingsRoutes, "/settings/v1/"],
    ["callbacks", callbackRoutes, "/callbacks/v1/"]
  ] as const)("for %s has their routes, each with its method and path, and no other", (name, routes, beginning) => {
    const served = routes.map(written)
    expect(served.length).toBeGreaterThan(0)
    expect(operationsIn(documents[name]).map(written).toSorted()).toEqual(served.toSorted())
    expect(operationsIn(documents[name]).filter(({ path }) => !path.startsWith(beginning))).toEqual([])
  })

  it("says of every operation which codes it answers with at each of its statuses", () => {
    for (const { operation } of operations) {
      const refused = Object.keys(operation.responses).filter((status) => Number(status) >= 400)
      expect(refused).toContain("500")
      for (const status of refused) expect(codesAt(operation, status).length).toBeGreaterThan(0)
    }
  })

  it("leaves the documents themselves out", () => {
    expect(documentRoutes.map(written)).toEqual([
      "GET /openapi.json",
      "GET /openapi/settings.json",
      "GET /openapi/callbacks.json",
      "GET /docs"
    ])
  })
})
