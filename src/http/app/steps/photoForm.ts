/**
 * The form of the built-in identity check: one field for each of the two photos, with what is wrong with the photo that was
 * sent before. It works without a script; with one, `browser/photos.js` takes the photos with the camera and sends them in parts. Which photos
 * are judged, and how, is not known here.
 */
import { checkLimits } from "../../../actors/checks/limits.ts"
import { identityPhotos, type IdentityPhoto, type PhotoFault } from "../../../actors/checks/identity/judgePhotos.ts"
import { mediumOf } from "../../../actors/checks/identity/KeptPhotos.ts"
import { uploadRow } from "../../../actors/checks/uploads/uploadRows.ts"
import type { UploadRefused } from "../../../actors/checks/uploads/Uploads.ts"
import { journeyPagePath } from "../../../actors/customer/appPaths.ts"
import { largestPhotoBytes } from "../../../schema/start/rules.ts"
import type { IdentityWords } from "../../../schema/words/en/identity.ts"
import type { Words } from "../../../schema/words/words.ts"
import { faceFinderPaths } from "../frame/assets.ts"
import { cameraDialog } from "./cameraDialog.ts"
import type { CustomerSession } from "../session/CustomerSession.ts"
import { html, type Html } from "../../server/pages/html.ts"
import { dataNote } from "../frame/receipt.ts"
import { scriptWords } from "../frame/sentence.ts"
import { tokenField } from "../../server/pages/tokenField.ts"

/** What a photo can be refused for, also before anybody looks at it. */
export type PhotoProblem = PhotoFault | "MISSING" | "TOO_LARGE" | "OVER_BUDGET"
export type PhotoProblems = Readonly<Partial<Record<IdentityPhoto, PhotoProblem>>>

/** Which camera takes the photo, and the shape of the frame in its picture. */
const cameras: Readonly<Record<IdentityPhoto, { readonly facing: string; readonly shape: "card" | "oval" }>> = {
  documentPhoto: { facing: "environment", shape: "card" },
  selfie: { facing: "user", shape: "oval" }
}

const problemIn = ({ formats, identity }: Words, problem: PhotoProblem): string =>
  problem === "TOO_LARGE"
    ? identity.problems.TOO_LARGE({ megabytes: formats.megabytes(largestPhotoBytes / 2 ** 20) })
    : identity.problems[problem]

/** What the customer reads about an upload that is refused. */
export const photoRefusal = ({ visitor }: CustomerSession, { code }: Pick<UploadRefused, "code">): string =>
  problemIn(visitor.words, code === "TOO_LARGE" || code === "OVER_BUDGET" ? code : "UNREADABLE")

interface FieldState {
  readonly name: IdentityPhoto
  readonly problem: PhotoProblem | undefined
  readonly isKept: boolean
}

/** What the page's script shows in place of a plain field. */
const tools = ({ identity: { camera } }: Words, label: string): Html =>
  html`<div class="photo-tools" hidden>
    <img alt="${camera.taken}" hidden />
    <p class="photo-status" role="status"></p>
    <progress max="100" value="0" aria-label="${camera.progress}" hidden></progress>
    <div class="buttons">
      <button type="button" class="open-camera" aria-label="${label}: ${camera.take}" hidden>${camera.take}</button
      ><button type="button" class="resume quiet" hidden>${camera.resume}</button>
    </div>
    <p class="hint choose" hidden>${camera.choose}</p>
  </div>`

const photoField = (words: Words, { isKept, name, problem }: FieldState): Html => {
  const { facing, shape } = cameras[name]
  const { identity } = words
  const { hints, label, title } = identity[name]
  const { path } = uploadRow(mediumOf[name])
  return html`<div
    class="field photo${problem !== undefined && " wrong"}"
    data-name="${name}"
    data-path="${path}"
    data-facing="${facing}"
    data-shape="${shape}"
    data-title="${title}"
    data-hints="${scriptWords(identity.hints[shape])}"
    data-kept="${String(isKept)}"
  >
    <label for="${name}">${label}</label>
    ${isKept && html`<p class="kept">${identity.kept}</p>`}
    <ul class="hint" id="${name}-hint">
      ${hints.map((hint) => html`<li>${hint}</li>`)}
    </ul>
    ${
      problem !== undefined &&
      html`<p class="error" id="${name}-error"><strong>${identity.error}</strong> ${problemIn(words, problem)}</p>`
    }${tools(words, label)}<input
      type="file"
      id="${name}"
      name="${name}"
      accept="image/jpeg,image/png"
      capture="${facing}"
      ${!isKept && html` required`}
      aria-describedby="${name}-hint${problem !== undefined && ` ${name}-error`}"
      ${problem !== undefined && html` aria-invalid="true"`}
    />
  </div>`
}

const wordsOfScript = ({ error, noTry, script, takeAgain }: IdentityWords) => ({
  ...script,
  error,
  noTry,
  takeOneAgain: takeAgain({ count: 1 }),
  takeBothAgain: takeAgain({ count: 2 })
})

export interface FormState {
  readonly triesLeft: number
  readonly kept: ReadonlyArray<IdentityPhoto>
  readonly problems?: PhotoProblems
}

export const photoForm = (
  { details, formToken, journey, visitor: { words } }: CustomerSession,
  { kept, problems = {}, triesLeft }: FormState
): Html => {
  const { identity } = words
  return html`<form
      method="post"
      enctype="multipart/form-data"
      id="photos"
      data-token="${formToken}"
      data-largest="${largestPhotoBytes}"
      data-part-bytes="${uploadRow("SELFIE").largestPartBytes}"
      data-finder-list="${faceFinderPaths.list}"
      data-finder-weights="${faceFinderPaths.weights}"
      data-journey="${journeyPagePath}"
      data-purchase="${journey.id}"
      data-words="${scriptWords(wordsOfScript(identity))}"
    >
      ${tokenField(formToken)}${identityPhotos.map((name) =>
        photoField(words, { name, problem: problems[name], isKept: kept.includes(name) })
      )}
      <p class="hint">${identity.privacy}</p>
      <p class="hint">${identity.triesLeft({ left: triesLeft, of: checkLimits.mostAttempts })}</p>
      <button class="check">${identity.check}</button>
      <p role="status" class="hint form-status"></p>
    </form>
    ${dataNote(details, words)} ${cameraDialog(words)}`
}

/** What is to be done again, with a link to each field. It counts as no try. */
export const problemSummary = ({ visitor: { words } }: CustomerSession, problems: PhotoProblems): Html => {
  const { identity } = words
  return html`<div class="summary" role="alert" tabindex="-1">
    <h2>${identity.takeAgain({ count: Object.keys(problems).length })}</h2>
    <ul>
      ${identityPhotos.map((name) => {
        const problem = problems[name]
        return (
          problem !== undefined &&
          html`<li><a href="#${name}">${identity[name].label}: ${problemIn(words, problem)}</a></li>`
        )
      })}
    </ul>
    <p>${identity.noTry}</p>
  </div>`
}
