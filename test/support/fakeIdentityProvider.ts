/** An identity provider on loopback. It starts checks, gives the address of its page, and calls back with results. */
import type { Answer } from "./companies.ts"
import { startFakeProvider, type FakeProvider } from "./fakeProvider.ts"
import { sendCallback, type CallbackWishes } from "./signedCallback.ts"

export interface StartedCheck {
  readonly checkId: string
  readonly journeyId: string
  readonly returnUrl: string
}

export type CheckResult = "VERIFIED" | "UNDER_REVIEW" | "FAILED"

export interface FakeIdentityProvider extends FakeProvider<StartedCheck> {
  /** The address as the company's settings have it. */
  readonly settings: { readonly kind: "HTTP"; readonly url: string; readonly secret: string }
  /** Sets the answer to a started check from now on. */
  readonly answerWith: (text: string) => void
  readonly report: (
    service: { readonly baseUrl: string },
    checkId: string,
    result: CheckResult,
    id: string,
    wishes?: Partial<CallbackWishes>
  ) => Promise<Answer>
}

export const startFakeIdentityProvider = async (
  secret = "identity-secret-00000000000000"
): Promise<FakeIdentityProvider> => {
  let answer: string | null = null
  const provider = await startFakeProvider<StartedCheck>({
    secret,
    idOf: ({ checkId }) => checkId,
    answer: ({ checkId }) => ({
      status: 201,
      body: answer ?? JSON.stringify({ url: `http://127.0.0.1:9/verify/${checkId}` })
    })
  })
  return {
    ...provider,
    settings: { kind: "HTTP", url: provider.url, secret },
    answerWith: (text) => {
      answer = text
    },
    report: (service, checkId, result, id, wishes = {}) =>
      sendCallback(service, `/callbacks/v1/identity/${checkId}`, { secret, body: { id, result }, ...wishes })
  }
}
