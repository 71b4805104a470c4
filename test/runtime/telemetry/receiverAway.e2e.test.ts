/** A receiver of telemetry that is away or frozen costs what was meant for it, and one line in the log. */
import { afterEach, expect, it } from "vitest"
import { startProcess } from "../../faults/ServiceProcess.ts"
import { makeCompany, start, startBody } from "../../support/companies.ts"
import { eventually } from "../../support/eventually.ts"
import { freePort } from "../../support/freePort.ts"
import { startOtlpReceiver } from "../../support/otlpReceiver.ts"
import { freshDatabase } from "../../support/service.ts"

const open: Array<() => Promise<unknown>> = []
afterEach(async () => {
  for (const close of open.splice(0).toReversed()) await close()
})

const unreachable = async () => `http://127.0.0.1:${await freePort()}`
const frozen = async () => {
  const receiver = await startOtlpReceiver("none")
  open.push(receiver.stop)
  return receiver.url
}

it.each([
  ["away", unreachable],
  ["frozen", frozen]
] as const)("serves as ever while the receiver is %s, says so once, and stops when told to", async (_name, urlOf) => {
  const service = await startProcess(await freshDatabase(), await freePort(), {
    OTEL_EXPORTER_OTLP_ENDPOINT: await urlOf(),
    SANDBOX_STEP: "20 millis"
  })
  open.push(() => service.end("SIGKILL"))
  const company = await makeCompany(service)
  const complaints = () => service.said().match(/Telemetry cannot be sent/g)?.length ?? 0
  // A thousand spans at once make the exporter send before its time, again and again.
  const startMany = async () => {
    const answers = await Promise.all(
      Array.from({ length: 100 }, () => start(service, company.testKey, startBody("CASH_SALE")))
    )
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([202]))
    return complaints()
  }
  await eventually(startMany, (count) => count > 0, 40_000)
  for (let again = 0; again < 3; again++) await startMany()
  expect(complaints()).toBe(1)
  expect(service.said()).not.toContain("Disabling exporter")
  await service.end("SIGTERM")
})
