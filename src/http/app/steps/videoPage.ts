/**
 * What the step RECORD_VIDEO shows: the turns of the head that the video must begin with, the recorder of the page's script, the plain form for browsers without scripts, and why a
 * video was refused. `videoStep.ts` takes the requests.
 */
import type { HttpServerResponse } from "effect/http"
import type { UploadRefused } from "../../../actors/checks/uploads/Uploads.ts"
import type { VideoChallenge } from "../../../actors/checks/video/VideoChallenges.ts"
import { challengeLimits } from "../../../actors/checks/limits.ts"
import { UPLOADS } from "../../../actors/checks/uploads/uploadRows.ts"
import { journeyPagePath } from "../../../actors/customer/appPaths.ts"
import { sentVideoLimits } from "../../../schema/media/limits.ts"
import type { Words } from "../../../schema/words/words.ts"
import { videoScriptPath } from "../frame/assets.ts"
import { frameOf, type CustomerSession } from "../session/CustomerSession.ts"
import { html, type Html } from "../../server/pages/html.ts"
import { appLimits } from "../frame/limits.ts"
import { pageResponse } from "../frame/page.ts"
import { pageStatus } from "../../server/pages/pageStatus.ts"
import { dataNote } from "../frame/receipt.ts"
import { scriptWords } from "../frame/sentence.ts"
import { tokenField } from "../../server/pages/tokenField.ts"

/** Where the page's script asks for the turns again when the customer begins to record. */
export const challengePath = `${UPLOADS.VIDEO.path}/challenge` as const

const longestMinutes = Math.floor(sentVideoLimits.longestSeconds / 60)

const megabytes = ({ formats }: Words, bytes: number): string => formats.megabytes(Math.floor(bytes / 2 ** 20))

/** The buttons in the order in which they come, with the least important last. */
const buttons = ["camera", "record", "stop", "send", "resume", "again"] as const

/** The script finds its way by these ids and data. Without the script only the form is shown. */
const recorder = ({ formToken, visitor }: CustomerSession): Html => {
  const {
    identity: { error },
    video
  } = visitor.words
  return html`<div
    id="recorder"
    hidden
    data-token="${formToken}"
    data-path="${UPLOADS.VIDEO.path}"
    data-journey="${journeyPagePath}"
    data-chunk-bytes="${sentVideoLimits.sentPartBytes}"
    data-most-bytes="${sentVideoLimits.largestBytes}"
    data-longest-seconds="${sentVideoLimits.longestSeconds}"
    data-challenge-path="${challengePath}"
    data-words="${scriptWords({ ...video.script, ...video.challenge.turns, error, heading: video.notUsed })}"
  >
    <video id="preview" muted playsinline aria-label="${video.preview}"></video>
    <p id="status" role="status"></p>
    <progress id="progress" max="100" value="0" aria-label="${video.upload}" hidden></progress>
    <div class="buttons">
      ${buttons.map(
        (id) =>
          html`<button
            type="button"
            id="${id}"
            ${id !== "camera" && html` hidden`}${id === "again" && html` class="quiet"`}
          >
            ${video.buttons[id]}
          </button>`
      )}
    </div>
  </div>`
}

/** Only words say where to: an arrow would point the other way to whoever sees themselves as in a mirror. */
const challengeOf = ({ visitor }: CustomerSession, { turns }: VideoChallenge): Html => {
  const { challenge } = visitor.words.video
  return html`<section aria-labelledby="challenge">
    <h2 id="challenge">${challenge.heading}</h2>
    <p>${challenge.how({ seconds: challengeLimits.askedWithinSeconds })}</p>
    <ol id="turns">
      ${turns.map((turn) => html`<li>${challenge.turns[turn]}</li>`)}
    </ol>
    <p class="hint">${challenge.why}</p>
  </section>`
}

const content = (customer: CustomerSession, asked: VideoChallenge, problem: string | null): Html => {
  const { words } = customer.visitor
  const { video } = words
  return html`${
      problem !== null &&
      html`<div class="summary" role="alert" tabindex="-1">
        <h2>${video.notUsed}</h2>
        <p>${problem}</p>
      </div>`
    }
    <ul class="hint">
      <li>${video.hints.face}</li>
      <li>${video.hints.vehicle}</li>
      <li>
        ${video.hints.length({ minutes: longestMinutes, megabytes: megabytes(words, sentVideoLimits.largestBytes) })}
      </li>
    </ul>
    ${challengeOf(customer, asked)} ${recorder(customer)}
    <form method="post" enctype="multipart/form-data" id="plain">
      ${tokenField(customer.formToken)}<input type="hidden" name="challenge" id="named" value="${asked.id}" />
      <div class="field photo">
        <label for="video">${video.choose}</label
        ><input type="file" id="video" name="video" accept="video/*" capture="user" required />
      </div>
      <button class="quiet">${video.sendChosen}</button
      ><noscript
        ><p class="hint">
          ${video.withoutScripts({ megabytes: megabytes(words, appLimits.largestPlainVideoBytes) })}
        </p></noscript
      >
    </form>
    ${dataNote(customer.details, words)}`
}

/** `asked`: the turns that the next video must show. `problem`: why the video that was just sent cannot be used. */
export const videoPage = (
  customer: CustomerSession,
  asked: VideoChallenge,
  problem: string | null = null
): HttpServerResponse.HttpServerResponse =>
  pageResponse({
    ...frameOf(customer),
    heading: customer.visitor.words.steps.RECORD_VIDEO.name,
    isProblem: problem !== null,
    status: problem === null ? pageStatus.shown : pageStatus.unusable,
    script: videoScriptPath,
    content: content(customer, asked, problem)
  })

/** What the customer reads about a video that has too many bytes. */
export const tooLargeVideo = ({ visitor: { words } }: CustomerSession, mostBytes: number): string =>
  words.video.problems.tooLarge({ megabytes: megabytes(words, mostBytes) })

/** What the customer reads about a refused video. */
export const videoRefusal = (customer: CustomerSession, { code }: Pick<UploadRefused, "code">): string => {
  const { problems } = customer.visitor.words.video
  switch (code) {
    case "TOO_LARGE":
      return tooLargeVideo(customer, sentVideoLimits.largestBytes)
    case "TOO_LONG":
      return problems.tooLong({ minutes: longestMinutes })
    case "UNSUPPORTED":
      return problems.unsupported
    case "UNREADABLE":
      return problems.unreadable
    case "OVER_BUDGET":
      return problems.overBudget
    case "NO_CHALLENGE":
      return problems.noChallenge
    case "INCOMPLETE":
    case "DAMAGED_CHUNK":
    case "WRONG_CHUNK":
      return problems.notWhole
  }
}
