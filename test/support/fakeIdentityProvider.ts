/** An identity provider on loopback. It starts checks, gives the address of its page, and calls back with results. */
import type { Answer } from "./companies.ts"
import { startFakeProvider, type FakeProvider } from "./fakeProvider.ts"
import { sendCallback, type CallbackWishes } from "./signedCallback.ts"

export interface StartedCheck {
  readonly checkId: string
  readonly journeyId: string
  readonly returnUrl: string
  readonly customer: { readonly firstName: string; readonly lastName: string; readonly dateOfBirth: string | null }
}

/** Calls about one result. */
const mostTries = 5

export type CheckResult = "VERIFIED" | "UNDER_REVIEW" | "FAILED"

export interface FakeIdentityProvider extends FakeProvider<StartedCheck> {
  /** The address as the company's settings have it. */
  readonly settings: { readonly kind: "HTTP"; readonly url: string; readonly secret: string }
  /** Sets the answer to a started check from now on; null is a page again. */
  readonly answerWith: (text: string | null) => void
  readonly report: (
    service: { readonly baseUrl: string },
    checkId: string,
    result: CheckResult,
    id: string,
    /** `beside`: further members of the body. */
    wishes?: Partial<CallbackWishes> & { readonly beside?: object }
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
    report: async (service, checkId, result, id, { beside, ...wishes } = {}) => {
      const send = () =>
        sendCallback(service, `/callbacks/v1/identity/${checkId}`, {
          secret,
          body: { id, checkId, result, ...beside },
          ...wishes
        })
      // On a busy machine photos cannot be looked at now and then; a provider calls again.
      let answer = await send()
      for (let tries = 1; tries < mostTries && answer.status === 503; tries += 1) answer = await send()
      return answer
    }
  }
}
