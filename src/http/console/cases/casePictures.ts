/**
 * Photos, the video and its frames on the pages of reviews and case files, as long as they are kept. Each picture is a look of its
 * own, made by `caseMedia.ts`.
 */
import type {
  CaseFileResource,
  CaseFrame,
  CasePicture,
  CaseReason,
  CaseTurns
} from "../../../schema/review/CaseFile.ts"
import { html, type Html, type Shown } from "../../server/pages/html.ts"
import { section, terms } from "./caseParts.ts"
import { frameOutcomeNames, pictureNames, turnsInWords, turnsOutcomeNames } from "../words/reasonWords.ts"
import { shownTime } from "../../server/pages/shownTime.ts"

export const casePathOf = (journeyId: string): string => `/console/journeys/${journeyId}/case`

/** Where pages of the console show a photo of the case. */
const photoPath = (
  journeyId: string,
  { attemptId, name }: Pick<CasePicture, "attemptId" | "name">,
  reason: CaseReason
) => `${casePathOf(journeyId)}/pictures/${attemptId ?? journeyId}/${name}?reason=${reason}`

export const figure = (path: string, caption: Shown, alt: string): Html =>
  html`<figure>
    <a href="${path}"><img src="${path}" alt="${alt}" loading="lazy" /></a>
    <figcaption>${caption}</figcaption>
  </figure>`

const secondsIn = (at: number | null): string => (at === null ? "" : ` at ${(at / 1000).toFixed(1)} s`)

const frameFigure = (
  journeyId: string,
  { at, number, outcome, similarity, turned }: CaseFrame,
  reason: CaseReason
): Html =>
  figure(
    `${casePathOf(journeyId)}/video/frames/${number}?reason=${reason}`,
    html`<strong>${frameOutcomeNames[outcome]}</strong>${secondsIn(at)}${
        similarity !== null && html` <small>likeness ${similarity.toFixed(2)}</small>`
      }${turned !== null && html` <small>head turned ${turned.toFixed(2)}</small>`}`,
    `Frame ${number} of the video${secondsIn(at)}`
  )

/** What the customer was asked for, beside what was measured. */
const turnsAsked = ({ asked, outcome, seen }: CaseTurns): Html =>
  html`<h3>Turns of the head</h3>
    ${terms([
      ["Asked for", turnsInWords(asked)],
      ["Seen", seen === null ? "Not looked for" : turnsInWords(seen)],
      ["Outcome", outcome !== null && turnsOutcomeNames[outcome]]
    ])}
    <p>
      Left and right are the customer's. In the frames, the head turned number is 0 for a head that looks ahead, about
      0.3 for the left and -0.3 for the right. A recording that is mirrored shows each turn as the other one.
    </p>`

/** The reference beside the frames that were compared with it. */
export const framesBesideReference = ({ journey, video }: CaseFileResource, reason: CaseReason): Shown => {
  if (video === null || (video.frames.length === 0 && video.reference === null)) return null
  const { frames, reference } = video
  return html`<div class="case-beside">
    <div class="case-reference">
      <h3>Compared with</h3>
      ${
        reference === null
          ? html`<p>There is no photo to compare with.</p>`
          : reference.path === null
            ? html`<p>${pictureNames[reference.name]}, which is not kept any more.</p>`
            : figure(
                photoPath(journey.id, reference, reason),
                pictureNames[reference.name],
                pictureNames[reference.name]
              )
      }
      ${reference?.replaced === true && html`<p><strong>The seller has sent another photo since.</strong></p>`}
    </div>
    <div>
      ${video.turns !== null && turnsAsked(video.turns)}
      <h3>Frames of the video</h3>
      ${
        frames.length === 0
          ? html`<p>No frames can be taken of this video.</p>`
          : html`<div class="case-frames">${frames.map((frame) => frameFigure(journey.id, frame, reason))}</div>`
      }
    </div>
  </div>`
}

/** Photos and the video of the case, as long as they are kept. */
export const keptMedia = (file: CaseFileResource, reason: CaseReason): Html => {
  const { journey, mediaKeptUntil, pictures, video } = file
  const isNone = pictures.length === 0 && video?.path == null
  return section(
    "Photos and video",
    html`${
      isNone
        ? html`<p>
            ${
              file.erased
                ? "Gone with the customer."
                : mediaKeptUntil === null
                  ? "Nothing is kept: none was sent, or none had to be kept for a person to look at."
                  : "Nothing is kept any more."
            }
          </p>`
        : mediaKeptUntil !== null && html`<p>Kept until ${shownTime(mediaKeptUntil)}.</p>`
    }
    ${
      pictures.length > 0 &&
      html`<div class="case-frames">
        ${pictures.map((one) => figure(photoPath(journey.id, one, reason), pictureNames[one.name], pictureNames[one.name]))}
      </div>`
    }
    ${
      video?.path != null &&
      html`${player(`${casePathOf(journey.id)}/video?reason=${reason}`)} ${framesBesideReference(file, reason)}`
    }`
  )
}

export const player = (path: string): Html =>
  html`<video controls playsinline preload="metadata" src="${path}" aria-label="The handover video"></video>`
