/** A finance panel on loopback. It takes applications and calls back with its decisions, and can misbehave. */
import type { Answer } from "./companies.ts"
import { startFakeProvider, type FakeProvider } from "./fakeProvider.ts"
import { sendCallback, type CallbackWishes } from "./signedCallback.ts"

export interface Submitted {
  readonly submissionId: string
  readonly journeyId: string
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into the application
  readonly application: any
}

export type PanelDecision = "APPROVED" | "DECLINED" | "REFERRED"

export interface FakePanel extends FakeProvider<Submitted> {
  /** The address as the company's settings have it. */
  readonly settings: { readonly name: string; readonly url: string; readonly secret: string }
  /** Calls back. `id` is the panel's own id of this decision. */
  readonly decide: (
    service: { readonly baseUrl: string },
    submissionId: string,
    decision: PanelDecision,
    id: string,
    wishes?: Partial<CallbackWishes>
  ) => Promise<Answer>
}

export const startFakePanel = async (secret = "panel-secret-0000000000000000"): Promise<FakePanel> => {
  const provider = await startFakeProvider<Submitted>({
    secret,
    idOf: ({ submissionId }) => submissionId,
    answer: () => ({ status: 202, body: "{}" })
  })
  return {
    ...provider,
    settings: { name: "Fake Panel", url: provider.url, secret },
    decide: (service, submissionId, decision, id, wishes = {}) =>
      sendCallback(service, `/callbacks/v1/finance/${submissionId}`, {
        secret,
        body: { id, submissionId, decision },
        ...wishes
      })
  }
}
