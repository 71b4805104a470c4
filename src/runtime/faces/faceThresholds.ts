/**
 * Every number by which photos of faces are judged, and what it was measured on. Nothing is decided here; see
 * `faceJudgement.ts`. `npm run bench:faces` measures and prints again what is written here.
 *
 * The sample is small: the six photos @vladmandic/face-api ships, with 22 faces, each cut out on its own and altered in
 * some thirty ways. All are adults, women, in good light; no two photos are known to show one person. So the rates below
 * say that the numbers are sane, not what they would be for the customers of a dealer.
 */

// Finding. Faces cut out so that they fill 83 to 33 % of the picture's height, six sizes, 132 pictures; each look takes
// as long as another:
//   the detector shown the picture alone        found 108 (82 %)
//   and once more with a margin                       127 (96 %): this one
//   and a third time with margin 1.4                  129 (98 %): for pictures in which the two find nothing
// The second look is taken whatever the first one found: of 22 faces of 17 % of the height the first one missed 9 in
// pictures in which it found somebody else. The package's tiny detector, measured once, takes a quarter of the time, but
// found 61 of 110 such pictures, 81 with a margin, and drew its boxes a third too wide, so that neighbours' overlap.

/**
 * The photo's longer side, times this, is what the detector is shown; the rest is black. Faces that nearly fill a photo,
 * as in most photos of one customer, are larger than the detector knows, and some sizes in between fall through.
 */
export const margins = [1, 2] as const
export const marginInBetween = 1.4

/** Of 1. What is reported as possibly a face. */
export const leastScore = 0.3

/**
 * Of 1. What counts as a face. None in 60 pieces of background, noise and plain colour had as much, and none of the 22
 * faces less when cut out at twice their height. With half the light 19 of 22 are found, with a quarter 6.
 */
export const clearScore = 0.5

/** A face of less than this part of the largest one's height is background. */
export const backgroundFacePart = 0.5

/**
 * Pixels of the face's height, from the brows to the chin. What is read from a face moves by this much when it is shrunk
 * (half of the faces by more): 160 pixels 0.05, 120 0.07, 100 0.08, 80 0.12, 60 0.16, 40 0.30, 30 0.40, when 0.4 is the
 * most that passes for the same person.
 */
export const leastFaceSide = 80

/**
 * Of `faceSharpness`. Faces as they are have 0.008 to 0.13. What is read from a blurred or shrunk face moves by (median,
 * most) 0.10 and 0.32 at 0.01 to 0.03, 0.23 and 0.44 at 0.004 to 0.006, 0.27 and 0.53 at 0.003 to 0.004, and 0.37 and
 * 0.62 at 0.002 to 0.003.
 */
export const leastSharpness = 0.003

/**
 * Widths of the eyes, by which landmarks move together when a face is mirrored and seen from further away. It keeps out
 * faces that lie on their side or stand upside down, which the detector takes for faces and which nobody can be told by:
 * what is read from them is 0.57 to 0.86 away from the same face upright, all but one, so that they would be found to be
 * somebody else. Of what would be accepted otherwise it keeps
 *   upright, tilted by up to 20 degrees, in other light, grainy, blurred, shrunk     368 of 375 (98 %)
 *   tilted by 40 degrees                                                              26 of 33
 *   on their side or upside down                                                       5 of 37
 * Upright, the one it does not keep is a face in profile. 0.25 keeps 3 of those 37, but loses six more upright ones; 0.4
 * keeps 10. It takes three runs of the landmark network, a twentieth of what finding the face takes.
 */
export const mostWavering = 0.3

// Comparing: distances between what is read from two faces that were accepted.
//                                   pairs   median    SAME   UNCLEAR   DIFFERENT
//   one face and itself altered       387     0.14  98.2 %     1.0 %       0.8 %
//   two people in one photo         1,156     0.70     0 %    26.7 %      73.3 %
//   faces of two photos             7,130     0.76  1 pair     9.5 %      90.5 %
// The least distance of two people in one photo is 0.49; those of two photos may or may not be one person. The 0.8 %,
// three pairs, are at 0.7 and more, where the few faces lie that are on their side and were accepted all the same. Two
// photos of one person, taken at different times, lie further apart than a face and itself altered: dlib, which trained
// the network, gives 0.6 as the best single limit on its own test (99.4 % right).
// A false "same" hands over a vehicle and a false "different" turns a customer away, while "unclear" asks a person. So
// both limits keep away from 0.6, the first one further.

/** Distance up to which two faces are the same person's. */
export const samePersonDistance = 0.4

/** Distance from which two faces are different people's. */
export const differentPersonDistance = 0.65
