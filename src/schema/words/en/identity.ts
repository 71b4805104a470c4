/**
 * The page of the identity check: the two photos, what came of an attempt, and what the page's script says. In English.
 */
import { englishPlural } from "../locale/plural.ts"

export const englishIdentity = {
  intro: "You need two photos: one of your identity document, and one of your face.",
  documentPhoto: {
    label: "Photo of your identity document",
    title: "Photograph your identity document",
    hints: ["The page or side with your face on it", "All four corners in view, flat, no glare", "Sharp enough to read"]
  },
  selfie: {
    label: "Photo of your face",
    title: "Photograph your face",
    hints: ["Light from the front, nothing behind you that glares", "Only you in the photo", "No hat, no sunglasses"]
  },
  error: "Error:",
  problems: {
    NO_FACE:
      "This photo shows no face that we can see clearly. Use more light, and let nothing cover the face: no hat, no sunglasses, no glare.",
    FACE_TOO_SMALL: "The face in this photo is too small. Please go closer.",
    MULTIPLE_FACES: "This photo shows more than one face.",
    BLURRED: "This photo is too blurred. Hold still, and use more light.",
    UNREADABLE: "This photo cannot be read. Please take another one, or choose a JPEG or PNG file.",
    OVER_BUDGET: "Enough photos were sent for today. Please try again tomorrow.",
    MISSING: "This photo is missing.",
    TOO_LARGE: ({ megabytes }: { readonly megabytes: string }) => `This photo has more than ${megabytes}.`
  },
  kept: "We have this photo. You need not take it again.",
  privacy:
    "Your photos are compared by this service and are not shown to anyone else, unless the comparison is unclear and a person has to look.",
  triesLeft: ({ left, of }: { readonly left: number; readonly of: number }) =>
    `You have ${left} of ${englishPlural(of, { one: "one try", other: `${of} tries` })} left today.`,
  check: "Check my photos",
  takeAgain: ({ count }: { readonly count: number }) =>
    englishPlural(count, { one: "Please take one photo again", other: "Please take both photos again" }),
  noTry: "This does not count as a try.",
  provider: {
    text: "The check is done on a partner's page. It brings you back here.",
    button: "Go to the identity check"
  },
  notReady: { text: "The check is being prepared. This takes a moment: please reload the page.", button: "Reload" },
  verified: { heading: "Thank you, that is you", text: "Your identity is verified." },
  underReview: {
    heading: "Thank you, we are having a look",
    text: "Somebody of the team looks at your photos before you go on. There is nothing for you to do; you will hear from us by email."
  },
  different: {
    heading: "The photos do not match",
    text: "We could not tell that both photos show you. You can try again now, with better light and your whole face in view."
  },
  samePhoto: {
    heading: "Both photos are the same",
    text: "One photo has to show your document, and the other one your face, taken now. A photo that was used for one of them cannot be used for the other."
  },
  lastTry: {
    heading: "That was the last try for today",
    text: ({ tries }: { readonly tries: number }) =>
      `You can try ${englishPlural(tries, { one: "once", other: `${tries} times` })} a day. Please come back tomorrow with the link in your email.`
  },
  unavailable: {
    heading: "The check cannot be done just now",
    text: "This did not count as a try, and your photos are kept. Please try again in a few minutes."
  },
  camera: {
    take: "Use the camera",
    choose: "Or choose a photo from your device",
    viewfinder: "What your camera sees",
    taken: "The photo you took",
    progress: "Sending this photo",
    shoot: "Take the photo",
    flip: "Use the other camera",
    gallery: "Choose from the device",
    use: "Use this photo",
    retake: "Take it again",
    close: "Close the camera",
    resume: "Continue sending"
  },
  script: {
    starting: "The camera is starting …",
    look: "Look at the photo. Use it, or take it again. It has not been sent yet.",
    cameraRefused:
      "The camera may not be used. Allow it in your browser's settings, or choose a photo from your device.",
    noCamera:
      "No camera can be used: there is none here, or another app is using it. You can choose a photo from your device.",
    sending: ({ percent }: { readonly percent: string }) => `Sending this photo: ${percent} %`,
    slow: "The connection is slow. Trying again …",
    broken: "The connection broke. What has arrived is kept: continue when you are online again.",
    ready: "This photo is ready.",
    empty: "This file is empty. Please choose another one.",
    tooLarge: "This photo is too large. Please choose another one.",
    unusable: "This photo could not be used. Please take another one.",
    notWhole: "This photo did not arrive whole. Please try again.",
    signedOut: "You were signed out. Reload this page to see how to sign in again.",
    bothReady: "Both photos are ready.",
    takeFirst: "Please take this photo first.",
    stillSending: "One photo is still being sent.",
    offline: "You are offline. Your photos are checked as soon as you are online again.",
    checking: "Comparing your photos. This can take half a minute."
  },
  hints: {
    card: {
      READY: "Fit your document into the frame.",
      NO_FACE: "Show the side with your face on it, inside the frame.",
      SMALL: "Come closer: the document should fill the frame.",
      LARGE: "Move back a little: the whole document should be in the frame.",
      DARK: "It is too dark. Find more light.",
      BRIGHT: "Something glares. Tilt the document a little.",
      BLURRED: "Hold still: it is not sharp yet.",
      GOOD: "Good. Take the photo."
    },
    oval: {
      READY: "Fit your face into the oval.",
      NO_FACE: "We cannot see your face. Look straight at the camera.",
      SEVERAL: "Only you should be in view.",
      SMALL: "Come closer: your face should fill the oval.",
      LARGE: "Move back a little.",
      ASIDE: "Move your face into the middle of the oval.",
      DARK: "It is too dark. Turn towards the light.",
      BRIGHT: "It is too bright. Turn away from the lamp or the sun.",
      BLURRED: "Hold still: it is not sharp yet.",
      GOOD: "Good. Take the photo."
    }
  }
}
export type IdentityWords = typeof englishIdentity
