/*
 * What a customer should do for a better photo: pure judgements of a small picture and of the faces found in it. The service
 * judges photos by limits of its own; these hints only help to take a photo that it can use.
 */

const limits = {
  /** The part of the picture's side that is left out at each edge. */
  margin: 0.15,
  /** Mean brightness, from 0 to 255. */
  darkest: 55,
  /** Of all pixels, those that are white and show nothing: a lamp or a reflection. */
  brightest: 0.16,
  white: 250,
  /** The contrast of the finest details in parts of all contrast, and heights of the face in parts of the picture's height. */
  card: { leastSharpness: 0.02, smallest: 0.1, largest: 0.8 },
  oval: { leastSharpness: 0.004, smallest: 0.26, largest: 0.62 },
  /** How far the middle of the face may be from the middle of the picture, in parts of its side. */
  farthest: 0.18,
  /** A face with less than this part of the largest face's height is background. */
  background: 0.5
}

/**
 * The brightness of a picture of `size` times `size` pixels, what of it is white, and how sharp it is. Only the middle counts: around it
 * may be nothing but the margin of a picture that is no square.
 */
export const measured = (rgba, size) => {
  const lightAt = (at) => 0.299 * rgba[at * 4] + 0.587 * rgba[at * 4 + 1] + 0.114 * rgba[at * 4 + 2]
  const from = Math.ceil(size * limits.margin)
  const sums = { count: 0, light: 0, squares: 0, details: 0, white: 0 }
  for (let row = from; row < size - from; row += 1) {
    for (let column = from; column < size - from; column += 1) {
      const at = row * size + column
      const light = lightAt(at)
      const around = lightAt(at - 1) + lightAt(at + 1) + lightAt(at - size) + lightAt(at + size)
      sums.count += 1
      sums.light += light
      sums.squares += light ** 2
      sums.details += (4 * light - around) ** 2
      if (light >= limits.white) sums.white += 1
    }
  }
  const brightness = sums.light / sums.count
  const contrast = sums.squares / sums.count - brightness ** 2
  return {
    brightness,
    white: sums.white / sums.count,
    sharpness: contrast < 1 ? 0 : sums.details / sums.count / contrast
  }
}

/** `faces` is null while faces cannot be found here: then nothing is said about them. */
export const hintOf = (shape, { brightness, sharpness, white }, faces) => {
  if (brightness < limits.darkest) return "DARK"
  if (white > limits.brightest) return "BRIGHT"
  if (sharpness < limits[shape].leastSharpness) return "BLURRED"
  return faces === null ? "READY" : hintOfFaces(shape, faces)
}

const hintOfFaces = (shape, faces) => {
  const [largest, next] = faces.toSorted((one, other) => other.height - one.height)
  if (largest === undefined) return "NO_FACE"
  if (shape === "oval" && next !== undefined && next.height >= largest.height * limits.background) return "SEVERAL"
  if (largest.height < limits[shape].smallest) return "SMALL"
  if (largest.height > limits[shape].largest) return "LARGE"
  const aside = Math.hypot(largest.x + largest.width / 2 - 0.5, largest.y + largest.height / 2 - 0.5)
  return shape === "oval" && aside > limits.farthest ? "ASIDE" : "GOOD"
}
