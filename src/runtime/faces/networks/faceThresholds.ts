/**
 * Every number by which photos of faces are judged, with its measurement. Nothing is decided here; see
 * `faceJudgement.ts`. `npm run bench:faces` measures again and prints what is written here.
 *
 * The sample is small: six photos that @vladmandic/face-api ships, with 22 faces, each cut out on its own and altered
 * in some thirty ways. All are adult women in good light, and no two photos are known to show one person. So the rates
 * below show that the numbers are sane. They do not show what the rates would be for the customers of a dealer.
 */

// Finding. The faces were cut out so that they fill 83 to 33 % of the picture's height, in six sizes: 132 pictures. And two of them were
// laid into one picture, each as high as 31 to 12 % of its width, 14 pictures in each of five sizes.
//   the detector is shown the picture with its longer side at    the face is found    both are found    milliseconds
//     512                                                           108 (82 %)           61 of 70            374
//     384                                                           117 (89 %)           59                  210
//     256                                                           112 (85 %)           46                  100
//     192                                                           110 (83 %)           40                   59
//     384, 256 and 192, and 512 where that was not enough           131 (99 %)           70                  392
// Some sizes are missed at each side, and other sizes at another. What is small is found at 512: of two faces of 10 to 6.5 % of the width
// both in 30 of 42 pictures, at 384 in 10. So it is left out only where such faces would not count.
/** The sides, in pixels, at which the detector can be shown a photo's longer side. It was trained at the first. */
export const trainedSide = 512
export const lookSides = [trainedSide, 384, 256, 192] as const
export type LookSide = (typeof lookSides)[number]

export interface DetectorLooks {
  /** These looks are always taken. */
  readonly first: ReadonlyArray<LookSide>
  /** These, one after another, until a clear face is found whose height is `enoughPart` of the photo's longer side. */
  readonly more: ReadonlyArray<LookSide>
  readonly enoughPart: number
}

/** Beside a face of a quarter of the photo only faces of an eighth count, which the trained side is not needed for. */
export const usualLooks: DetectorLooks = { first: [384, 256, 192], more: [trainedSide], enoughPart: 0.25 }
/**
 * For photos of documents, in which every face matters, also one that is small beside another. `npm run bench:beside`: of 88 portraits of
 * somebody else beside a face 2.3 times as high, 8 are not noticed.
 */
export const looksForDocuments: DetectorLooks = { first: lookSides, more: [], enoughPart: 0 }
/** For frames of a video, in which turns of the head are looked for. */
export const looksForTurns: DetectorLooks = { first: [256], more: [384, trainedSide], enoughPart: 0 }

/** On a scale to 1: what is reported as a possible face. */
export const leastScore = 0.3

/**
 * On a scale to 1: what counts as a face. None of 60 pieces of background, noise and plain colour scored this much, and
 * none of the 22 faces scored less when it was cut out at twice its height. With half the light 19 of 22 are found,
 * with a quarter 7.
 */
export const clearScore = 0.5

/** A face with less than this part of the largest face's height is background. */
export const backgroundFacePart = 0.5

/** Faces of the background that are compared in the photo of a document, which shows one person, once or twice. */
export const mostFacesBeside = 3

/**
 * The height of the face from the brows to the chin, in pixels. When a face is shrunk, the numbers read from it move by
 * this median distance: at 160 pixels 0.06, 120 0.07, 100 0.08, 80 0.12, 60 0.16, 40 0.29, 30 0.40. The largest
 * distance that passes for the same person is 0.4.
 */
export const leastFaceSide = 80

/**
 * As measured by `faceSharpness`. Unchanged faces have 0.006 to 0.13. The numbers read from a blurred or shrunk face
 * move by these distances (median and largest): 0.09 and 0.30 at 0.01 to 0.03, 0.22 and 0.43 at 0.004 to 0.006, 0.29
 * and 0.49 at 0.003 to 0.004, 0.37 and 0.69 at 0.002 to 0.003.
 */
export const leastSharpness = 0.003

/**
 * How far landmarks move together when a face is mirrored and seen from further away, in widths of the eyes. The limit keeps
 * out faces that lie on their side or stand upside down. The detector finds such faces, but nobody can be recognised by
 * them: they would be taken for somebody else. Of the faces that would be accepted otherwise, this limit keeps
 *   upright, tilted by up to 20 degrees, in other light, grainy, blurred, shrunk     361 of 371 (97 %)
 *   tilted by 40 degrees                                                              25 of 34
 *   on their side or upside down                                                       7 of 38
 * A limit of 0.25 keeps 4 of those 38, but loses six more upright faces; 0.4 keeps 12. The measurement takes three runs of the
 * landmark network, a tenth of the time of finding the face.
 */
export const mostWavering = 0.3

// Comparing. The distances between the numbers of two accepted faces:
//                                   pairs   median    SAME   UNCLEAR   DIFFERENT
//   one face and itself altered       389     0.14  97.7 %     0.8 %       1.5 %
//   two people in one photo         1,158     0.71     0 %    28.4 %      71.6 %
//   faces of two photos             7,126     0.76 2 pairs     9.7 %      90.3 %
// The smallest distance of two people in one photo is 0.49. Faces of two photos may belong to one person. The 1.5 % are six
// pairs at more than 0.7. Two photos of one person from different times lie further apart than a face and itself altered: dlib,
// which trained the network, gives 0.6 as the best single limit on its own test (99.4 % right).
// A false "same" hands over a vehicle, a false "different" turns a customer away, and "unclear" asks a person. So both limits
// keep away from 0.6, and the first one keeps further away.

/** Up to this distance two faces belong to the same person. */
export const samePersonDistance = 0.4

/** From this distance on two faces belong to different people. */
export const differentPersonDistance = 0.65
