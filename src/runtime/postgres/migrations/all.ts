/**
 * Every migration, in order: the place in this list is its id, which the number in its file's name repeats for the reader. A migration
 * that has landed is never changed or moved: a correction is a new migration at the end.
 */
import { sql as journeys } from "./0001_journeys.ts"
import { sql as webhooks } from "./0002_webhooks.ts"
import { sql as photos } from "./0003_photos.ts"
import { sql as telemetry } from "./0004_telemetry.ts"
import { sql as owed } from "./0005_owed.ts"
import { sql as links } from "./0006_links.ts"
import { sql as checks } from "./0007_checks.ts"
import { sql as videos } from "./0008_videos.ts"
import { sql as vehicles } from "./0009_vehicles.ts"
import { sql as mails } from "./0010_mails.ts"
import { sql as retention } from "./0011_retention.ts"
import { sql as steps } from "./0012_steps.ts"
import { sql as waiting } from "./0013_waiting.ts"
import { sql as words } from "./0014_words.ts"
import { sql as photosOfChecks } from "./0015_photosOfChecks.ts"
import { sql as brand } from "./0016_brand.ts"
import { sql as allowances } from "./0017_allowances.ts"
import { sql as provider } from "./0018_provider.ts"
import { sql as uploads } from "./0019_uploads.ts"
import { sql as traces } from "./0020_traces.ts"
import { sql as assurance } from "./0021_assurance.ts"
import { sql as members } from "./0022_members.ts"
import { sql as list } from "./0023_list.ts"
import { sql as frames } from "./0024_frames.ts"
import { sql as endpointHours } from "./0025_endpointHours.ts"
import { sql as longLists } from "./0026_longLists.ts"
import { sql as installation } from "./0027_installation.ts"
import { sql as handovers } from "./0028_handovers.ts"
import { sql as sentForms } from "./0029_sentForms.ts"
import { sql as keys } from "./0030_keys.ts"
import { sql as uploadDays } from "./0031_uploadDays.ts"
import { sql as keyMarks } from "./0032_keyMarks.ts"
import { sql as mailTurns } from "./0033_mailTurns.ts"
import { sql as auditChain } from "./0034_auditChain.ts"
import { sql as operatorTokens } from "./0035_operatorTokens.ts"
import { sql as mailStandings } from "./0036_mailStandings.ts"
import { sql as notices } from "./0037_notices.ts"
import { sql as erasureJournal } from "./0038_erasureJournal.ts"
import { sql as clocks } from "./0039_clocks.ts"
import { sql as customerSessions } from "./0040_customerSessions.ts"
import { sql as keyUse } from "./0041_keyUse.ts"
import { sql as lists } from "./0042_lists.ts"
import { sql as requestLog } from "./0043_requestLog.ts"
import { sql as secretMarks } from "./0044_secretMarks.ts"
import { sql as customerDays } from "./0045_customerDays.ts"
import { sql as videoChallenges } from "./0046_videoChallenges.ts"
import { sql as removedMembers } from "./0047_removedMembers.ts"
import { sql as months } from "./0048_months.ts"
import { sql as clockRequests } from "./0049_clockRequests.ts"
import { sql as applicationDays } from "./0050_applicationDays.ts"
import { sql as since } from "./0051_since.ts"
import { sql as linksByAge } from "./0052_linksByAge.ts"
import { sql as mailShares } from "./0053_mailShares.ts"
import { sql as sessionUploads } from "./0054_sessionUploads.ts"
import { sql as takenAway } from "./0055_takenAway.ts"
import { sql as fewerIndexes } from "./0056_fewerIndexes.ts"
import { sql as passkeysRequired } from "./0057_passkeysRequired.ts"
import { sql as unwrittenMails } from "./0058_unwrittenMails.ts"
import { sql as mailModes } from "./0059_mailModes.ts"
import { sql as requestMarks } from "./0060_requestMarks.ts"
import { sql as askersAddresses } from "./0061_askersAddresses.ts"
import { sql as mailsInHand } from "./0062_mailsInHand.ts"
import { sql as previousSecrets } from "./0063_previousSecrets.ts"
import { sql as keyScopes } from "./0064_keyScopes.ts"
import { sql as keysToCome } from "./0065_keysToCome.ts"
import { sql as reviewLooks } from "./0066_reviewLooks.ts"
import { sql as readyReasons } from "./0067_readyReasons.ts"
import { sql as clockAdvances } from "./0068_clockAdvances.ts"
import { sql as endedJourneys } from "./0069_endedJourneys.ts"
import { sql as endedBefore } from "./0070_endedBefore.ts"
import { sql as ledgerByTime } from "./0071_ledgerByTime.ts"
import { sql as auditLookup } from "./0072_auditLookup.ts"
import { sql as keysInUse } from "./0073_keysInUse.ts"
import { sql as creditsOnce } from "./0074_creditsOnce.ts"

/** A migration's number is its place in this list, and in the name of its file. */
const inOrder = [
  ["journeys", journeys],
  ["webhooks", webhooks],
  ["photos", photos],
  ["telemetry", telemetry],
  ["owed", owed],
  ["links", links],
  ["checks", checks],
  ["videos", videos],
  ["vehicles", vehicles],
  ["mails", mails],
  ["retention", retention],
  ["steps", steps],
  ["waiting", waiting],
  ["words", words],
  ["photos of checks", photosOfChecks],
  ["brand", brand],
  ["allowances", allowances],
  ["provider", provider],
  ["uploads", uploads],
  ["traces", traces],
  ["assurance", assurance],
  ["members", members],
  ["list", list],
  ["frames", frames],
  ["endpoint hours", endpointHours],
  ["long lists", longLists],
  ["installation", installation],
  ["handovers", handovers],
  ["sent forms", sentForms],
  ["keys", keys],
  ["upload days", uploadDays],
  ["key marks", keyMarks],
  ["mail turns", mailTurns],
  ["audit chain", auditChain],
  ["operator tokens", operatorTokens],
  ["mail standings", mailStandings],
  ["notices", notices],
  ["erasure journal", erasureJournal],
  ["clocks", clocks],
  ["customer sessions", customerSessions],
  ["key use", keyUse],
  ["lists", lists],
  ["request log", requestLog],
  ["secret marks", secretMarks],
  ["customer days", customerDays],
  ["video challenges", videoChallenges],
  ["removed members", removedMembers],
  ["months", months],
  ["clock requests", clockRequests],
  ["application days", applicationDays],
  ["since", since],
  ["links by age", linksByAge],
  ["mail shares", mailShares],
  ["session uploads", sessionUploads],
  ["taken away", takenAway],
  ["fewer indexes", fewerIndexes],
  ["passkeys required", passkeysRequired],
  ["unwritten mails", unwrittenMails],
  ["mail modes", mailModes],
  ["request marks", requestMarks],
  ["askers' addresses", askersAddresses],
  ["mails in hand", mailsInHand],
  ["previous secrets", previousSecrets],
  ["key scopes", keyScopes],
  ["keys to come", keysToCome],
  ["review looks", reviewLooks],
  ["ready reasons", readyReasons],
  ["clock advances", clockAdvances],
  ["ended journeys", endedJourneys],
  ["ended before", endedBefore],
  ["ledger by time", ledgerByTime],
  ["audit lookup", auditLookup],
  ["keys in use", keysInUse],
  ["credits once", creditsOnce]
] as const

export const migrations: ReadonlyArray<{ readonly id: number; readonly name: string; readonly sql: string }> =
  inOrder.map(([name, sql], at) => ({ id: at + 1, name, sql }))
