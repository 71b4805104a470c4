/** A webhook endpoint as its row holds it. The settings and the endpoint's actor both read it. */
import type { Endpoint } from "../../../actors/webhook/rules/Endpoint.ts"
import { OffReason } from "../../../schema/webhook/Endpoint.ts"
import { column, rowsDecodedBy, rowModel } from "../../postgres/rows.ts"
import { CompanyId, EndpointId } from "../../../schema/ids.ts"
import { previousSecretsIn } from "./previousSecrets.ts"

const Columns = rowModel({
  id: column.id(EndpointId),
  companyId: column.id(CompanyId),
  livemode: column.bool,
  url: column.text,
  events: column.listOf(column.text),
  enabled: column.bool,
  offReason: column.orNull(column.oneOf(OffReason)),
  offSince: column.orNull(column.millis),
  sealedSecret: column.bytes,
  revision: column.number,
  failingSince: column.orNull(column.millis),
  lastFailedAt: column.orNull(column.millis),
  warnings: column.number,
  createdAt: column.millis,
  removedAt: column.orNull(column.millis)
})

export const EndpointRow = rowsDecodedBy((row): Endpoint => {
  const { failingSince, lastFailedAt, warnings, ...endpoint } = Columns.decodeRow(row)
  return { ...endpoint, previousSecrets: previousSecretsIn(row), health: { failingSince, lastFailedAt, warnings } }
})
