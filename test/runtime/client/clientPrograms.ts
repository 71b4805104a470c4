/** The programs that the packages are tried with beside the examples of their READMEs. Not a test itself. */
export const typeTest = `
import { type ApiError, JourneyNotFoundError, JourneysClient, verifyWebhook, type Event, type Journey, type StartJourney, type StartJourneyWithPhoto } from "@journeys/client"
import { verifySignature } from "@journeys/client/webhooks"
import { lifeOf, refusal } from "@journeys/client/testkit"
import { JourneyNotFoundError as RefusedOfSettings, type SettingsClient } from "@journeys/client/settings"

declare const journey: Journey
if (journey.type === "IDENTITY_DELIVERY") journey.identity.status satisfies string | null
// @ts-expect-error a DELIVERY has no identity
if (journey.type === "DELIVERY") journey.identity
// A value to come is a value.
const status: Journey["status"] = "PAUSED"

const event: Event = verifyWebhook({ body: "", signature: "", secret: "", now: 0 })
if (event.type === "finance_enquiry.submission_failed") event.data.reason satisfies string
// @ts-expect-error no reason on a journey's other events
if (event.type === "journey.created") event.data.reason
verifySignature({ body: new Uint8Array(), headers: new Headers(), secret: ["whsec_a", "whsec_b"] })

lifeOf("identity_failed").events[0].createdAt satisfies string
// @ts-expect-error no such life
lifeOf("identity_failing")
refusal([{ code: "VALIDATION_FAILED", field: "customer.email" }], { retryAfterSeconds: 1 }) satisfies Response
// @ts-expect-error no such code
refusal("RATE_LIMIT")
declare const error: ApiError
switch (error.code) {
  case "JOURNEY_NOT_FOUND":
    break
  default:
    // A code to come is a code.
    error.code satisfies string
}
if (error instanceof JourneyNotFoundError) error.code satisfies "JOURNEY_NOT_FOUND"
// One class for each code, whichever client was refused.
const isRefused: typeof JourneyNotFoundError = RefusedOfSettings

declare const settings: SettingsClient
settings.getPicture("", "", "selfie") satisfies Promise<Blob>
// @ts-expect-error no such mode
settings.listReviews("", { mode: "BOTH" })
// @ts-expect-error no such decision
settings.decideReview("", "", { decision: "PERHAPS", reason: "" })
settings.searchJourneys("", { search: "AB12 CDE" }).then(({ content, next }) => [content[0]?.journey.id, next])

const customer = { firstName: "A", lastName: "B", email: "a@example.com", mobile: "+447700900101" }
const rest = { customer, vehicle: { registration: "AB12 CDE" } } as const
export const identity: StartJourney = { type: "IDENTITY_DELIVERY", ...rest, delivery: { type: "IN_STORE" } }
// @ts-expect-error saleType is of DELIVERY alone
export const wrong: StartJourney = { type: "IDENTITY_DELIVERY", ...rest, delivery: { type: "IN_STORE", saleType: "CASH_SALE" } }
// @ts-expect-error what is sent is closed
new JourneysClient({ baseUrl: "", apiKey: "" }).listJourneys({ status: "PAUSED" })
declare const sale: StartJourneyWithPhoto["journey"]
export const photos: ReadonlyArray<StartJourneyWithPhoto> = [
  { journey: sale, customerFace: new Blob([]) },
  { journey: sale, customerFace: new Uint8Array() },
  // @ts-expect-error a path is no photo
  { journey: sale, customerFace: "photo.jpg" }
]
export const undefinedIsLeftOut: StartJourney = { ...identity, externalReference: undefined }
export { isRefused, status }
`

export const typesInPython = `
from typing import Iterator, List, Optional
from journeys_client import Listing, verify_webhook, JourneysClient
from journeys_client.settings import SettingsClient
from journeys_client.testkit import life_of, refusal
from journeys_client.contract import CallerActions, Event, Journey, JourneyPage, LaterEvent, LaterJourney, StartIdentityDelivery

def journeys(client: JourneysClient, later: LaterJourney) -> None:
    listing: Listing[JourneyPage, Journey] = client.list_journeys(status="ACTIVE")
    entries: Iterator[Journey] = iter(listing)
    references: List[Optional[str]] = [one["externalReference"] for one in entries]
    [one["nothing"] for one in listing]  # type: ignore[typeddict-item]
    [one["event"]["createdAt"] for one in client.list_events()]
    client.list_journeys(status="PAUSED")  # type: ignore[arg-type]
    print(later["status"], later["nextAction"], later["livemode"], later["delivery"], references)
    later["identity"]  # type: ignore[typeddict-item]

def one_journey(journey: Journey) -> Optional[str]:
    if journey["type"] == "IDENTITY_DELIVERY":
        return journey["identity"]["status"]
    return journey["status"]

def starts(client: JourneysClient, photo: bytes) -> CallerActions:
    body: StartIdentityDelivery = {
        "type": "IDENTITY_DELIVERY",
        "customer": {"firstName": "A", "lastName": "B", "email": "a@example.com", "mobile": "+447700900101"},
        "vehicle": {"registration": "AB12 CDE"},
        "delivery": {"type": "IN_STORE"},
    }
    return client.get_actions(client.start_journey(body)["id"])

def kit() -> int:
    life_of("identity_failing")  # type: ignore[arg-type]
    refusal("RATE_LIMIT")  # type: ignore[arg-type]
    refusal([{"code": "VALIDATION_FAILED", "field": "customer.email", "message": "no"}], retry_after=1)
    return len(life_of("identity_failed")["events"]) + refusal("RATE_LIMITED").status

def back_office(settings: SettingsClient) -> bytes:
    settings.list_reviews("", mode="BOTH")  # type: ignore[arg-type]
    settings.decide_review("", "", {"decision": "PERHAPS", "reason": ""})  # type: ignore[typeddict-item]
    print(settings.search_journeys("", {"search": "AB12 CDE"})["content"][0]["journey"]["id"])
    return settings.get_picture("", "", "selfie")

def events(later: LaterEvent) -> str:
    verify_webhook(b"", "whsec_a", header={})  # type: ignore[call-arg]
    event: Event = verify_webhook(b"", ["whsec_a", "whsec_b"], signature="", tolerance_seconds=60, now=0)
    return event["createdAt"] if event["type"] != "journey.created" else later["apiVersion"]
`

export const limited = `
import { JourneysClient } from "@journeys/client"
const client = new JourneysClient({ baseUrl: process.env.JOURNEYS_URL, apiKey: process.env.JOURNEYS_KEY, retries: 0 })
let taken = 0
try {
  for (; taken < 1000; taken += 1) await client.listScenarios()
} catch (error) {
  console.log(taken, error.name, error.status, error.retryAfterSeconds > 0, error.requestId !== null)
}
`

export const photoInNode = `
import { readFileSync } from "node:fs"
import { JourneysClient } from "@journeys/client"
const client = new JourneysClient({ baseUrl: process.env.JOURNEYS_URL, apiKey: process.env.JOURNEYS_KEY })
const journey = JSON.parse(readFileSync("sale.json", "utf8"))
const started = await client.startJourney({ journey, customerFace: readFileSync("photo.jpg") })
console.log(started.delivery.saleType)
`

export const photoInPython = `
import json, os
from journeys_client import JourneysClient
client = JourneysClient(os.environ["JOURNEYS_URL"], os.environ["JOURNEYS_KEY"])
with open("sale.json", encoding="utf-8") as sale, open("photo.jpg", "rb") as photo:
    print(client.start_journey({"journey": json.load(sale), "customerFace": photo.read()})["delivery"]["saleType"])
`

/** A picture of a live journey, as the settings client has it: what kind of file it is, and how it begins. */
export const pictureInNode = `
import { SettingsClient } from "@journeys/client/settings"
const { JOURNEYS_COMPANY, JOURNEYS_OPERATOR_TOKEN, JOURNEYS_URL, JOURNEY } = process.env
const settings = new SettingsClient({ baseUrl: JOURNEYS_URL, operatorToken: JOURNEYS_OPERATOR_TOKEN })
const picture = await settings.getCasePicture(JOURNEYS_COMPANY, JOURNEY, JOURNEY, "customer-photo")
console.log(picture.type, Buffer.from(await picture.arrayBuffer()).subarray(0, 3).toString("hex"))
await settings.getCasePicture(JOURNEYS_COMPANY, JOURNEY, JOURNEY, "selfie").catch((error) => console.log(error.name, error.code))
`

export const pictureInPython = `
import os
from journeys_client import NotFoundError
from journeys_client.settings import SettingsClient
settings = SettingsClient(os.environ["JOURNEYS_URL"], os.environ["JOURNEYS_OPERATOR_TOKEN"])
company, journey = os.environ["JOURNEYS_COMPANY"], os.environ["JOURNEY"]
print("image/jpeg", settings.get_case_picture(company, journey, journey, "customer-photo")[:3].hex())
try:
    settings.get_case_picture(company, journey, journey, "selfie")
except NotFoundError as error:
    print(type(error).__name__, error.code)
`

export const verifyInNode = `
import { readFileSync } from "node:fs"
import { verifySignature } from "@journeys/client/webhooks"
console.log(JSON.stringify(JSON.parse(readFileSync("attempts.json", "utf8")).map(({ now, ...delivery }) => {
  try {
    verifySignature({ ...delivery, now: now * 1000 })
    return "taken"
  } catch (error) {
    return error.reason
  }
})))
`

export const verifyInPython = `
import json
from journeys_client import WebhookVerificationError, verify_signature

def verdict(attempt):
    try:
        verify_signature(attempt["body"].encode(), attempt["secret"], signature=attempt["signature"], now=attempt["now"])
        return "taken"
    except WebhookVerificationError as error:
        return error.reason

print(json.dumps([verdict(one) for one in json.load(open("attempts.json", encoding="utf-8"))]))
`

/** Ids that lead to another path than the one they are meant for, each told in one line. */
export const idsInNode = `
import { JourneysClient } from "@journeys/client"
const client = new JourneysClient({ baseUrl: process.env.JOURNEYS_URL, apiKey: process.env.JOURNEYS_KEY })
for (const ask of [
  () => client.getJourney(""),
  () => client.getEvent("."),
  () => client.getActions(".."),
  () => client.getJourney(undefined),
  () => client.getJourney("no/journey")
]) {
  await ask().then(() => console.log("answered"), (error) => console.log(error.name))
}
`

export const idsInPython = `
import os
from journeys_client import JourneysClient
client = JourneysClient(os.environ["JOURNEYS_URL"], os.environ["JOURNEYS_KEY"])
for ask, id in (
    (client.get_journey, ""), (client.get_event, "."), (client.get_actions, ".."), (client.get_journey, None), (client.get_journey, "no/journey")
):
    try:
        ask(id)
        print("answered")
    except Exception as error:
        print(type(error).__name__)
`
