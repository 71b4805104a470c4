/**
 * What to do about each error code, for whoever writes the program that got it. What a code means, and its status, is in the
 * catalogue `problems.ts`; the pages of the errors show both.
 */
import type { ErrorCode } from "./problems.ts"

const correctBody =
  "Correct the fields that `errors` names and send the start again with the same Idempotency-Key: a refused start has kept nothing. `POST /api/v1/journeys/validate` tells every problem without starting."
const readJourney =
  "Read the journey: its status says what happened. `GET /api/v1/journeys/{id}/actions` says which calls it takes now. Do not repeat the call."
const anotherPhoto =
  "Ask for another photo: one person, facing the camera, in good light, the face at least 80 pixels high. Then send the request again; a refused start has kept nothing."

export const remedies: Readonly<Record<ErrorCode, string>> = {
  IDEMPOTENCY_KEY_REQUIRED:
    "Send one `Idempotency-Key` header with each start: a text of your own that is the same whenever you repeat this start, such as your deal's id. On other operations leave the header out, or send a well-formed one.",
  APPLICATION_INCOMPLETE: `Ask the customer for what is missing. ${correctBody}`,
  PANEL_REFERENCE_REQUIRED: `Send the name of your panel and its reference of the application, or let the service submit with SUBMIT_VIA_MIRA. ${correctBody}`,
  PANEL_FIELDS_NOT_USED: `Leave these fields out: the panel answers the service, not you. ${correctBody}`,
  SALE_TYPE_REQUIRED: `Say CASH_SALE or FINANCE_SALE in delivery.saleType. ${correctBody}`,
  SALE_TYPE_NOT_USED: `Leave delivery.saleType out. ${correctBody}`,
  CUSTOMER_FACE_REQUIRED:
    "Send the request as multipart/form-data, with the JSON in one part and the photo in the part `customerFace`.",
  CUSTOMER_FACE_NOT_USED:
    "Leave the photo and the member customerFace out; this journey compares nothing with a photo of yours.",
  FINANCE_FIELDS_NOT_USED: `Leave the other fields of finance out: finance is approved already. ${correctBody}`,
  INVALID_APPLICATION_VALUE: `Use one of the values that the message lists. ${correctBody}`,
  UNSUPPORTED_IMAGE_TYPE: "Send a JPEG or a PNG. The first bytes of the file decide, not its name and not its label.",
  INVALID_API_KEY:
    "Send `Authorization: Bearer <key>` with a whole key, once. A key that was rotated or revoked stops working at once: the company's owner sees its keys in the console and makes a new one there. The settings API takes no API key: send the operator's token, or sign in to the console.",
  API_KEY_EXPIRED: "Ask the company's owner for a new key, or for a later expiry of this one, in the console.",
  API_KEY_NOT_PERMITTED:
    "The message names the scope that the key lacks, or that the operation is for test keys only. Use another key, or ask the company's owner for one with the scope.",
  JOURNEY_NOT_FOUND:
    "Look at the id and at the key: a key sees the journeys of its own company and its own mode, and nothing else. Journeys that were started with a test key are seen with a test key only.",
  IDEMPOTENCY_KEY_REUSED:
    "This key belongs to another request. Use a new key for a new start; to repeat a start, send exactly the body that you sent first. Read the journey of that start in the list, by its externalReference.",
  FINANCE_DECISION_FROM_PANEL: "Send no decision for this journey: wait for the panel's, which comes as an event.",
  FINANCE_ALREADY_DECIDED: readJourney,
  CUSTOMER_FACE_LOCKED: `Wait for the result of the check; an event tells it. ${readJourney}`,
  JOURNEY_FINISHED: readJourney,
  BIOMETRIC_CONSENT_REQUIRED:
    "Ask the customer whether their photo may be compared, and send what they agreed to in customerFace.biometricConsent. Without their consent the sale cannot be a FINANCE_SALE here.",
  NO_FACE: anotherPhoto,
  MULTIPLE_FACES: anotherPhoto,
  FACE_TOO_SMALL: anotherPhoto,
  CONSENT_REQUIRED: `Ask the customer for every consent that finance.consents names. ${correctBody}`,
  EKYC_NOT_CONFIGURED:
    "The company's owner chooses who makes identity checks, on the company's page of the console. For test keys it is a switch of the sandbox. Then send the start again.",
  FINANCE_PANEL_NOT_CONFIGURED:
    "The company's owner enters the finance panel on the company's page of the console. For test keys it is a switch of the sandbox. Then send the start again.",
  INSUFFICIENT_CREDITS:
    "`field` names the wallet. Ask the operator of the service for credits; the console shows what each wallet has. For test keys it is a switch of the sandbox. Then send the start again with the same Idempotency-Key.",
  DEALER_ONLY: "Start this sale with a key of the dealer; a broker has no CASH_SALE.",
  RATE_LIMITED:
    "Wait as many seconds as `Retry-After` says, then send the same request again. `RateLimit` says on each answer what is left: slow down before it is 0.",
  TEMPORARILY_UNAVAILABLE:
    "Wait as many seconds as `Retry-After` says, then send the same request again with the same Idempotency-Key. Nothing was created, so nothing happens twice.",
  VALIDATION_FAILED:
    "Correct what each entry of `errors` names: `field` is the path in the body, or the name of a header or parameter. The documentation of the operation has every rule and an example.",
  INVALID_SIGNATURE:
    "Sign `{timestamp}.{exact body}` with the whole secret that the company has entered for you, and look at your clock. A callback must be about a request that the service has sent to you.",
  REQUEST_FORGED:
    "Do this on the pages of the console. A program uses the operator token instead of a browser's session.",
  ROLE_NOT_PERMITTED:
    "Ask somebody with the role that the message names: an owner of the company, or the operator. The operator makes a named token with the scope that is missing.",
  SIGN_IN_AGAIN:
    "Sign in to the console again by a mailed link, with your passkey if you have one, and make the change within the minutes that the message names.",
  EVENT_NOT_POSSIBLE:
    "Read the journey: the event is behind it, or its shape does not have the event. `GET /api/v1/journeys/{id}/actions` lists the events that can be simulated now.",
  NOT_FOUND: "Look at the path and its ids. Whatever belongs to another company is not found either.",
  METHOD_NOT_ALLOWED: "Use one of the methods that the `Allow` header lists.",
  REQUEST_TIMEOUT:
    "Send the request again, faster: the whole of it must arrive in time. A repeated start has the same Idempotency-Key.",
  CONFLICT: "Somebody else has changed the same thing, or it is no longer as it was. Read it again and decide anew.",
  PAYLOAD_TOO_LARGE:
    "Send a smaller body; the message says how large it may be. Photos are made smaller before they are sent.",
  UNSUPPORTED_MEDIA_TYPE:
    "Send JSON as `application/json` in UTF-8, a start with a photo as `multipart/form-data`, and no Content-Encoding.",
  HEADERS_TOO_LARGE: "Send fewer or shorter headers, and a shorter address.",
  INTERNAL_ERROR:
    "Send the request again with the same Idempotency-Key: a repeated start makes no second journey. If it fails again, tell the operator the `Request-Id` of the answer."
}
