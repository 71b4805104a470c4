/** How the rows of a model are decoded and written, shown with the company's model. No database is needed. */
import { describe, expect, it } from "vitest"
import { assignments, insertValues, modelColumns } from "../../../src/runtime/postgres/modelColumns.ts"
import { ApiKey } from "../../../src/schema/company/ApiKey.ts"
import { Company, companyResource } from "../../../src/schema/company/Company.ts"
import { CompanyId } from "../../../src/schema/ids.ts"

const rows = modelColumns(Company.row)

const row = {
  id: "0197a000-0000-7000-8000-000000000002",
  name: "Harbour Cars",
  kind: "DEALER",
  admin_email: "owner@example.com",
  active: true,
  identity_provider: { kind: "HTTP", url: "https://identity.example", sealedSecret: "AQ==" },
  finance_panel: null,
  identity_window_days: 30,
  handover_window_days: 45,
  media_retention_days: 60,
  customer_retention_days: 0,
  declined_retention_days: 0,
  application_retention_days: 180,
  assurance: "DOCUMENT",
  passkeys_required: false,
  language: "cy",
  brand: { logo: null, colour: "#1a56ab", telephone: null, hours: null, returnUrl: null },
  sandbox: { pace: "manual", credits: true, panelConfigured: true, identityConfigured: false },
  approval_reasons: null,
  rejection_reasons: null,
  created_at: new Date(1000)
}

describe("the rows of a model", () => {
  it("gives each column to the field that the model names", () => {
    expect(rows.decodeRow(row)).toMatchObject({ adminEmail: row.admin_email, handoverWindowDays: 45, createdAt: 1000 })
  })

  it("keeps the members of a json column in their stored order", () => {
    const shown = companyResource(rows.decodeRow(row))
    expect(JSON.stringify(shown.sandbox)).toBe(JSON.stringify(row.sandbox))
  })

  it("refuses a column of another type by the name of the column, without the value", () => {
    expect(() => rows.decodeRow({ ...row, admin_email: 12345 })).toThrow(
      "column admin_email: expected the structure of its schema, found number"
    )
  })

  it("refuses a row that lacks a column", () => {
    const { sandbox: _, ...lacking } = row
    expect(() => rows.decodeRow(lacking)).toThrow(/sandbox/)
  })

  it("never shows the sealed secret of a provider", () => {
    expect(JSON.stringify(companyResource(rows.decodeRow(row)))).not.toContain("sealedSecret")
  })
})

describe("the parameters of a model", () => {
  it("are made of the fields that are given, under the names of their columns", () => {
    const columns = rows.of({ adminEmail: "a@b.example", createdAt: 5 })
    expect(columns).toEqual({ admin_email: "a@b.example", created_at: new Date(5) })
    expect(insertValues(columns, 6)).toBe("(admin_email, created_at) values ($6, $7)")
    expect(assignments(columns, 6)).toBe("admin_email = $6, created_at = $7")
  })

  it("use the column that the model names where it is not the field's own name", () => {
    expect(modelColumns(ApiKey.row).of({ mode: "LIVE" })).toEqual({ livemode: true })
  })
})

describe("a new company", () => {
  it("has the defaults of its model", () => {
    const made = Company.row.make({
      id: CompanyId.make(row.id),
      name: row.name,
      kind: "BROKER",
      adminEmail: "a@b.example",
      createdAt: 0
    })
    expect(made).toMatchObject({ active: true, identityProvider: null, identityWindowDays: 30, mediaRetentionDays: 30 })
  })
})
