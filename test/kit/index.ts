/**
 * `journeys/testkit`: what tests of this service are made of, by one door. It imports no test runner. Each thing is described
 * where it stands; this file only hands it on. It is for developers of the service: receivers have `@journeys/client/testkit`.
 */
export { startExamples } from "../../src/schema/start/examples.ts"
export { decide } from "../../src/actors/journey/rules/decide.ts"
export { startBodiesOf } from "./startBodies.ts"
export { play } from "../actors/journey/rules/histories.ts"
export { messages, sequences, startFacts } from "../actors/journey/rules/sequences.ts"
export type { Entry, History, Letter, Sequence } from "../actors/journey/rules/histories.ts"
export { everyMessage, factsOf, sandbox } from "../actors/journey/rules/startedJourneys.ts"
export { brokenBy, everyInvariant, holdsInEveryLife, type NamedInvariant } from "./everyInvariant.ts"
export { decideEndpoint } from "../../src/actors/webhook/rules/decideEndpoint.ts"
export { endpointLives, everyEndpointInvariant, holdsForEveryEndpoint, playEndpoint } from "./endpoints.ts"
export type { Act as EndpointAct, Life as EndpointLife } from "../actors/webhook/rules/endpointScript.ts"
export { replayed, shrunk, wrongsOfCase } from "./cases.ts"
export { given, type Decided, type Expected, type Given } from "./given.ts"
export { eventOf, startReceiver, type Received, type Receiver } from "../support/receivers.ts"
export { startFakePanel, type FakePanel } from "../support/fakePanel.ts"
export { startFakeIdentityProvider, type FakeIdentityProvider } from "../support/fakeIdentityProvider.ts"
export { startMailServer, type MailServer } from "../support/mailServer.ts"
export { ask, askSettings, makeCompany, start, type Answer, type TestCompany } from "../support/companies.ts"
export { ownServices, type OwnServices, type Service } from "./runningService.ts"
