/** The vehicle that is sold, and for a broker the dealer who sells it. */
import { Schema } from "effect"
import { wholeNumber } from "./numbers.ts"
import { text } from "./text.ts"

/** The specification gives no length for ids of other systems. 100 is the length that it gives externalReference. */
export const otherSystemsId = text(100)

export const Vehicle = Schema.Struct({
  registration: text(20),
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
    otherSystemsId.annotate({
      description: "Broker keys only: the dealer's id when the dealer is on the service. Never with dealerDirectoryId"
    })
  ),
  dealerDirectoryId: Schema.optionalKey(
    otherSystemsId.annotate({
      description: "Broker keys only: the directory listing id when the dealer is not on the service"
    })
  )
}).annotate({ identifier: "Vehicle" })
