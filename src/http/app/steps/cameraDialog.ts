/**
 * The dialog with the camera in it: the live picture with its frame, a line that says what helps, and the buttons. It is closed until
 * `browser/capture.js` opens it, and a browser without that script never shows it.
 */
import type { Words } from "../../../schema/words/words.ts"
import { html, type Html } from "../../server/pages/html.ts"

export const cameraDialog = ({ identity: { camera } }: Words): Html =>
  html`<dialog id="capture" class="capture" aria-labelledby="capture-title">
    <div class="head">
      <h2 id="capture-title"></h2>
      <button type="button" id="close-capture" class="quiet" aria-label="${camera.close}">×</button>
    </div>
    <div id="stage" class="stage">
      <video id="viewfinder" muted playsinline aria-label="${camera.viewfinder}"></video
      ><img id="still" alt="${camera.taken}" hidden />
      <div id="frame" class="frame"></div>
    </div>
    <p id="capture-hint" role="status"></p>
    <div class="buttons">
      <button type="button" id="shoot" hidden>${camera.shoot}</button
      ><button type="button" id="use" hidden>${camera.use}</button
      ><button type="button" id="retake" class="quiet" hidden>${camera.retake}</button
      ><button type="button" id="flip" class="quiet" hidden>${camera.flip}</button
      ><button type="button" id="gallery" class="quiet" hidden>${camera.gallery}</button>
    </div>
  </dialog>`
