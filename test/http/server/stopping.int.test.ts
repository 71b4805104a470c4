/** A service that is told to stop while somebody is being answered. */
import { Agent, request } from "node:http"
import { expect, test } from "vitest"
import { makeCompany } from "../../support/companies.ts"
import { writeEndpoint } from "../../support/endpoints.ts"
import { startReceiver } from "../../support/receivers.ts"
import { operatorToken, startService } from "../../support/service.ts"

/** Milliseconds for the test: less than what the server would wait for a connection that is never closed. */
const promptly = 8000

test(
  "a request under way is answered, and its kept-alive connection does not hold the service",
  async () => {
    const service = await startService({ WEBHOOK_ALLOW_INSECURE: "true" })
    const company = await makeCompany(service)
    const asked = Promise.withResolvers<() => void>()
    const receiver = await startReceiver((_request, response) => asked.resolve(() => response.writeHead(204).end()))
    await writeEndpoint(service.query, { companyId: company.id, url: receiver.url })
    const agent = new Agent({ keepAlive: true })
    const status = new Promise<number | undefined>((done, fail) =>
      request(
        `${service.baseUrl}/settings/v1/companies/${company.id}/webhook-endpoints/test/ping`,
        { method: "POST", agent, headers: { authorization: `Bearer ${operatorToken}` } },
        (answer) => answer.resume().on("end", () => done(answer.statusCode))
      )
        .on("error", fail)
        .end()
    )
    const answerReceiver = await asked.promise
    const stopped = service.stop()
    answerReceiver()
    expect(await status).toBe(200)
    await stopped
    agent.destroy()
    await receiver.stop()
  },
  promptly
)
