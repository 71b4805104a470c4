/** The vehicle that is sold, and for a broker the dealer who sells it. */
import { Schema } from "effect"
import { wholeNumber } from "../decoding/numbers.ts"
import { uuid } from "../uuid.ts"
import { nameText } from "./nameText.ts"
import { startFieldLimits } from "./limits.ts"
import { formattedText, text } from "../decoding/text.ts"

export const otherSystemsId = text(startFieldLimits.longestOtherSystemsId)

/** Said of a malformed id and of an unknown one alike, so that the answer tells nothing about other companies (V7). */
export const unknownDealer = "must be the id of a dealer of this service"

const DealerCompanyId = formattedText(36, (value) => (uuid.test(value.toLowerCase()) ? undefined : unknownDealer), {
  format: "uuid",
  minLength: 36
})

export const Vehicle = Schema.Struct({
  registration: nameText(20),
  make: Schema.optionalKey(text(50)),
  model: Schema.optionalKey(text(100)),
  year: Schema.optionalKey(wholeNumber(1900, 2100)),
  colour: Schema.optionalKey(text(50)),
  inventoryVehicleId: Schema.optionalKey(
    otherSystemsId.annotate({
      description: "The caller's stock vehicle id; the vehicle is marked sold when the handover completes"
    })
  ),
  dealerCompanyId: Schema.optionalKey(
    DealerCompanyId.annotate({
      description:
        "Broker keys only: the id of the dealer on this service; a test key may send any UUID. Never with dealerDirectoryId"
    })
  ),
  dealerDirectoryId: Schema.optionalKey(
    otherSystemsId.annotate({
      description: "Broker keys only: the directory listing id when the dealer is not on the service"
    })
  )
}).annotate({ identifier: "Vehicle" })
