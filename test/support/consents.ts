/** A customer's consent as the app sends it, for tests that need no page. Not a test itself. */
import { Effect } from "effect"
import { askJourney } from "../../src/actors/journey/actor/askJourney.ts"
import { Ids } from "../../src/actors/kernel/Ids.ts"
import type { ConsentStep } from "../../src/schema/journey/consents.ts"
import type { JourneyMessage } from "../../src/schema/journey/messages.ts"
import { JourneyId } from "../../src/schema/ids.ts"
import { noticeVersions } from "../../src/schema/words/consentNotices.ts"
import type { Service } from "./service.ts"

export const sayAsCustomer = (service: Pick<Service, "run">, journeyId: string, message: JourneyMessage) =>
  service.run(
    Effect.flatMap(Ids, (ids) =>
      askJourney({
        journeyId: JourneyId.make(journeyId),
        messageId: ids.next(),
        sender: "customer",
        scope: null,
        message
      })
    )
  )

export const agreeTo = (service: Pick<Service, "run">, journeyId: string, step: ConsentStep) =>
  sayAsCustomer(service, journeyId, { _tag: "ConsentGiven", step, notice: noticeVersions[step].en })

export const withdraw = (service: Pick<Service, "run">, journeyId: string) =>
  sayAsCustomer(service, journeyId, { _tag: "ConsentWithdrawn", notice: noticeVersions.withdrawal.en })
