/** Writes webhook endpoints straight into a database, as the settings API would write them. */
import { randomUUID } from "node:crypto"
import { secretPlace } from "../../src/actors/webhook/rules/Endpoint.ts"
import * as AesVault from "../../src/runtime/keys/AesVault.ts"
import { EndpointId } from "../../src/schema/ids.ts"

type Query = <Row extends object>(text: string, values?: ReadonlyArray<unknown>) => Promise<ReadonlyArray<Row>>

/** The master key of test services. */
export const masterKey = Buffer.alloc(32, 7)
export const endpointSecret = `whsec_${Buffer.alloc(32, 9).toString("base64")}`

interface Wishes {
  readonly companyId: string
  readonly url: string
  readonly livemode?: boolean
  readonly events?: ReadonlyArray<string>
}

/** Writes an endpoint that is turned on. Gives its id. */
export const writeEndpoint = async (
  query: Query,
  { companyId, events = ["*"], livemode = false, url }: Wishes
): Promise<string> => {
  const id = randomUUID()
  const sealed = AesVault.make(masterKey).sealSecret(secretPlace(EndpointId.make(id)), endpointSecret)
  await query(
    `insert into webhook_endpoints (id, company_id, livemode, url, events, enabled, sealed_secret, created_at)
     values ($1, $2, $3, $4, $5::text[], true, $6, now())`,
    [id, companyId, livemode, url, `{${events.map((one) => `"${one}"`).join()}}`, sealed]
  )
  return id
}
