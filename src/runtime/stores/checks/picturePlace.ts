/** The place that a kept photo was sealed for, by the photo's name. Which photos may be looked at is decided by the stores. */
import { documentPlace, selfiePlace } from "../../../actors/checks/identity/IdentityChecks.ts"
import { portraitPlace } from "../../../actors/checks/identity/ProviderResults.ts"
import { photoPlace } from "../../../actors/journey/actor/JourneyStore.ts"
import type { Place } from "../../../actors/kernel/Vault.ts"
import { AttemptId, JourneyId } from "../../../schema/ids.ts"
import type { PictureName } from "../../../schema/review/Review.ts"

/** `of` is the id of the row that keeps the photo: of a customer's photo, the journey. */
export const picturePlace = (name: PictureName, of: string): Place => {
  switch (name) {
    case "customer-photo":
      return photoPlace(JourneyId.make(of))
    case "document":
      return documentPlace(AttemptId.make(of))
    case "selfie":
      return selfiePlace(AttemptId.make(of))
    case "portrait":
      return portraitPlace(of)
  }
}
