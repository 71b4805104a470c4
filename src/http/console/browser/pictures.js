/**
 * A picture that could not be loaded, because the service was busy or the connection broke, is asked for again: three times, after one
 * second, two and four. Without this script the reader loads the page again.
 */
const againAfter = (picture) => {
  const tries = Number(picture.dataset.tries ?? "0")
  if (tries >= 3) return
  picture.dataset.tries = String(tries + 1)
  const again = () => {
    // The same address once more makes a browser load the picture anew.
    const { src } = picture
    picture.src = src
  }
  // oxlint-disable-next-line no-restricted-globals -- a browser has no other clock
  setTimeout(again, 1000 * 2 ** tries)
}

for (const picture of document.images) {
  picture.addEventListener("error", () => againAfter(picture))
  // It may have failed before this script ran.
  if (picture.complete && picture.naturalWidth === 0 && picture.src !== "") againAfter(picture)
}
