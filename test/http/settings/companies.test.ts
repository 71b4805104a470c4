import { afterAll, beforeAll, expect, it } from "vitest"
import { makeCompany, start, startBody, askSettings } from "../../support/companies.ts"
import { startService, type Service } from "../../support/service.ts"
let service: Service
beforeAll(async () => { service = await startService() })
afterAll(() => service.stop())
it("works", async () => {
  const c = await makeCompany(service, { credits: 5, settings: { identityProvider: { kind: "HTTP", url: "https://a.example/x", secret: "0123456789abcdef" }, sandbox: { pace: 3 } } })
  console.log(c)
  console.log(await start(service, c.testKey, startBody("IDENTITY_DELIVERY")))
  console.log(await start(service, c.liveKey, startBody("IDENTITY_DELIVERY")))
  for (const p of ["", `/${c.id}`, `/${c.id}/api-keys`, `/${c.id}/wallets`, `/${c.id}/wallets/IDENTITY/ledger`, `/${c.id}/audit`]) console.log(p, JSON.stringify(await askSettings(service, `/companies${p}`)))
  console.log(JSON.stringify(await askSettings(service, `/companies/${c.id}/api-keys/${c.testKeyId}/rotate`, { method: "POST"})))
  console.log(JSON.stringify(await askSettings(service, `/companies/${c.id}/api-keys/${c.testKeyId}`, { method: "PATCH", body: {name: "x", expiresAt: "2030-01-01T00:00:00Z", scopes: ["journeys:read"]}})))
  console.log(JSON.stringify(await askSettings(service, `/companies/${c.id}/api-keys/${c.testKeyId}`, { method: "DELETE"})))
  console.log(JSON.stringify(await askSettings(service, `/companies/${c.id}`, { method: "PATCH", body: {sandbox: {pace: null}, financePanel: null, identityProvider: null}})))
  console.log(JSON.stringify(await askSettings(service, `/companies/${c.id}`, { method: "PATCH", body: {sandbox: {pace: 61, x: 1}, financePanel: {url: "http://x.example"}, identityProvider: {kind: "FTP"}, identityWindowDays: 91, zz: 1}})))
  console.log(JSON.stringify(await askSettings(service, `/companies/${c.id}/wallets/IDENTITY/ledger?page=1000000000&size=100&foo=1`)))
  console.log(JSON.stringify(await askSettings(service, `/companies/${c.id}/wallets/IDENTITY/ledger?page=1000000000&size=100`)))
})
