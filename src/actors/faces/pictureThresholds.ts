/**
 * The numbers by which two photos are known to be one picture, with their measurement. `npm run bench:pictures` measures again and
 * prints what is written here. `samePicture.ts` compares.
 *
 * The sample is the one of `faceThresholds.ts`: 22 faces in six photos. No two photos are known to show one person, so a second
 * picture of the same person is made here: the same face turned, which changes a picture less than a new photo does.
 *
 *   two prints of                                                likeness
 *   one picture, stored as JPEG of quality 20                    0.80 to 0.99
 *   one picture, its face shrunk to 80 pixels, or to 40          0.74 to 0.98, 0.39 to 0.95
 *   one picture, cropped to 1.4 times its face, or with more     0.75 to 0.98
 *   one picture, mirrored                                        0.76 to 0.93
 *   one picture, squeezed by a tenth                             0.62 to 0.85
 *   one picture, in light times 0.5 or 1.6 (clipped)             0.59 to 0.97
 *   a picture and the same face turned by 10 degrees             0.25 to 0.54
 *   two people                                                   0.43 at most, median 0.20
 *   test/fixtures/photos: a face and its portrait on a card      0.28
 */
export const pictureThresholds = {
  /** The side of a print, in pixels: eyes and mouth are a few pixels high, and a face of 40 pixels still fills it. */
  printSide: 44,
  /** The side of what a print shows, in sides of the face. */
  printedFaces: 1.3,
  /** The box around a face moves when the photo is cropped or shrunk: by so many pixels of the print, and by these scales. */
  farthestShift: 6,
  scales: [0.86, 0.93, 1, 1.08, 1.16] as ReadonlyArray<number>,
  /** From this likeness on two photos are one picture. An honest second picture must not come near it. */
  leastLikeness: 0.55,
  /** Frames of a video that are all so alike show one picture, also when a camera moves before it. A living face changes more. */
  leastLikenessOfStill: 0.9
} as const
