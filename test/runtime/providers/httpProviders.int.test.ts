/** Both providers over real HTTP, against servers on loopback that check what they get. */
import { Effect, Exit, Layer, Redacted, Result } from "effect"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import type { Provider } from "../../../src/actors/company/providers.ts"
import { FinancePanel } from "../../../src/actors/effects/FinancePanel.ts"
import { IdentityProvider } from "../../../src/actors/effects/IdentityProvider.ts"
import { panelApplication } from "../../../src/actors/journey/rules/panelApplication.ts"
import * as DnsResolver from "../../../src/runtime/webhooks/DnsResolver.ts"
import * as HttpFinancePanel from "../../../src/runtime/providers/HttpFinancePanel.ts"
import * as HttpIdentityProvider from "../../../src/runtime/providers/HttpIdentityProvider.ts"
import * as UndiciSender from "../../../src/runtime/webhooks/UndiciSender.ts"
import { startBody } from "../../support/companies.ts"
import { startFakeIdentityProvider, type FakeIdentityProvider } from "../../support/fakeIdentityProvider.ts"
import { startFakePanel, type FakePanel } from "../../support/fakePanel.ts"
import { JourneyId } from "../../../src/schema/ids.ts"
import { CheckId } from "../../../src/schema/ids.ts"

let panel: FakePanel
let identity: FakeIdentityProvider
beforeEach(async () => {
  panel = await startFakePanel()
  identity = await startFakeIdentityProvider()
})
afterEach(async () => {
  await panel.stop()
  await identity.stop()
})

interface Asking {
  readonly allowInsecure?: boolean
  /** Milliseconds for an exchange. */
  readonly within?: number
}

const providerOf = ({ settings }: FakePanel | FakeIdentityProvider, secret = settings.secret): Provider => ({
  url: settings.url,
  secret: Redacted.make(secret)
})

const ask = <A, E>(
  effect: Effect.Effect<A, E, FinancePanel | IdentityProvider>,
  { allowInsecure = true, within = 10_000 }: Asking
) => {
  const providers = Layer.merge(
    HttpFinancePanel.layerOf({ allowInsecure }),
    HttpIdentityProvider.layerOf({ allowInsecure })
  )
  const sender = UndiciSender.layerOf({ allowInsecure, within })
  return Effect.runPromise(
    Effect.result(effect).pipe(Effect.provide(providers.pipe(Layer.provide(sender), Layer.provide(DnsResolver.layer))))
  )
}

const application = Result.getOrThrow(panelApplication(startBody("FINANCE_SUBMIT_VIA_MIRA")))
const submissionId = "019bc0a1-7c00-8005-8000-000000000001"
const journeyId = "019bc0a1-7c00-7005-8000-000000000002"
const customer = { firstName: "Amara", lastName: "Okafor", dateOfBirth: null }
const returnUrl = "https://journeys.example.com/app/journey"

const submit = (options: Asking & { readonly provider?: Provider } = {}) =>
  ask(
    Effect.flatMap(FinancePanel, (one) =>
      one.submit({
        submissionId,
        journeyId: JourneyId.make(journeyId),
        application,
        panel: options.provider ?? providerOf(panel)
      })
    ),
    options
  )
const start = (options: Asking & { readonly provider?: Provider } = {}) =>
  ask(
    Effect.flatMap(IdentityProvider, (one) =>
      one.start({
        checkId: CheckId.make(submissionId),
        journeyId: JourneyId.make(journeyId),
        returnUrl,
        customer,
        provider: options.provider ?? providerOf(identity)
      })
    ),
    options
  )

const refused = (status: number) => Result.fail(expect.objectContaining({ _tag: "PanelRefused", status }))
const unreachable = (reason: string) => Result.fail(expect.objectContaining({ _tag: "PanelUnreachable", reason }))

describe("the finance panel", () => {
  it("is sent the application, signed over its bytes with the secret and the time, under its id", async () => {
    expect(await submit()).toEqual(Result.succeed("ACCEPTED"))
    expect(panel.asked).toEqual([
      {
        body: { submissionId, journeyId, application },
        idempotencyKey: submissionId,
        contentType: "application/json",
        isGenuine: true
      }
    ])
  })

  it("takes an application once, however often its answer is lost", async () => {
    panel.behave("LOST")
    for (let tries = 0; tries < 3; tries++) expect(await submit()).toEqual(unreachable("CONNECTION_RESET"))
    panel.behave("OK")
    expect(await submit()).toEqual(Result.succeed("ACCEPTED"))
    expect(panel.asked.map(({ idempotencyKey }) => idempotencyKey)).toEqual(Array(4).fill(submissionId))
    expect(panel.taken.size).toBe(1)
  })

  it("refuses for good with a 4xx, also when our secret is another", async () => {
    for (const status of [400, 404, 422]) {
      panel.behave(status)
      expect(await submit()).toEqual(refused(status))
    }
    panel.behave("OK")
    expect(await submit({ provider: providerOf(panel, "another-secret-000000") })).toEqual(refused(401))
    expect(panel.taken.size).toBe(0)
  })

  it("may be asked again when it is busy, broken or away", async () => {
    for (const status of [408, 425, 429, 500, 503]) {
      panel.behave(status)
      expect(await submit()).toEqual(unreachable(`HTTP_${status}`))
    }
    panel.behave("RESET")
    expect(await submit()).toEqual(unreachable("CONNECTION_RESET"))
    await panel.stop()
    expect(await submit()).toEqual(unreachable("CONNECTION_REFUSED"))
  })

  it("is not waited for longer than an exchange may take", async () => {
    panel.behave("SILENT")
    expect(await submit({ within: 300 })).toEqual(unreachable("TIMEOUT"))
  })

  it("does not lead us elsewhere by a redirect", async () => {
    panel.behave(307)
    expect(await submit()).toEqual(unreachable("HTTP_307"))
    expect(panel.asked).toHaveLength(1)
  })

  it("is reached over https at public addresses only, whatever was saved", async () => {
    expect(await submit({ allowInsecure: false })).toEqual(unreachable("URL_NOT_ALLOWED"))
    const secret = Redacted.make(panel.secret)
    for (const url of ["https://127.0.0.1:8443/", "https://169.254.169.254/", "https://localhost/"]) {
      expect(await submit({ allowInsecure: false, provider: { url, secret } })).toEqual(unreachable("URL_NOT_ALLOWED"))
    }
    expect(panel.asked).toHaveLength(0)
  })

  it("hears nothing more when whoever asked has gone", async () => {
    panel.behave("SLOW")
    const running = Effect.runFork(
      Effect.scoped(
        Effect.flatMap(FinancePanel, (one) =>
          one.submit({ submissionId, journeyId: JourneyId.make(journeyId), application, panel: providerOf(panel) })
        ).pipe(
          Effect.provide(
            HttpFinancePanel.layerOf({ allowInsecure: true }).pipe(
              Layer.provide(UndiciSender.layerOf({ allowInsecure: true })),
              Layer.provide(DnsResolver.layer)
            )
          )
        )
      )
    )
    await panel.arrived(1)
    running.interruptUnsafe()
    const exit = await new Promise<Exit.Exit<unknown, unknown>>((done) => running.addObserver(done))
    expect(Exit.hasInterrupts(exit)).toBe(true)
  })
})

describe("the identity provider", () => {
  it("is told the check, the journey and the way back, and names its page", async () => {
    expect(await start()).toEqual(Result.succeed({ url: `http://127.0.0.1:9/verify/${submissionId}` }))
    expect(identity.asked).toEqual([
      {
        body: { checkId: CheckId.make(submissionId), journeyId, returnUrl, customer },
        idempotencyKey: submissionId,
        contentType: "application/json",
        isGenuine: true
      }
    ])
  })

  it("may be asked again when it names no page a customer can be sent to", async () => {
    for (const text of [
      "",
      "{}",
      '{"url":"javascript:alert(1)"}',
      `{"url":"https://a.example/","x":"${"y".repeat(9000)}"}`
    ]) {
      identity.answerWith(text)
      expect(await start()).toEqual(
        Result.fail(expect.objectContaining({ _tag: "ProviderUnreachable", reason: "NO_PAGE" }))
      )
    }
    expect(identity.taken.size).toBe(1)
  })

  it("refuses for good with a 4xx and may be asked again after anything else", async () => {
    identity.behave(422)
    expect(await start()).toEqual(Result.fail(expect.objectContaining({ _tag: "ProviderRefused", status: 422 })))
    identity.behave(500)
    expect(await start()).toEqual(
      Result.fail(expect.objectContaining({ _tag: "ProviderUnreachable", reason: "HTTP_500" }))
    )
  })
})
