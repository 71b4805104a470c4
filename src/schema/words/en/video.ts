/** The page of the handover video: what it shows, and what its script says meanwhile, in English. */
import { englishPlural } from "../locale/plural.ts"

export const englishVideo = {
  hints: {
    face: "Your whole face in view, light from the front",
    vehicle: "Show the vehicle and its number plate",
    length: ({ megabytes, minutes }: { readonly megabytes: string; readonly minutes: number }) =>
      `Up to ${englishPlural(minutes, { one: "one minute", other: `${minutes} minutes` })}, ${megabytes} at most`
  },
  challenge: {
    heading: "Turn your head first",
    how: ({ seconds }: { readonly seconds: number }) =>
      `Look into the camera when the video begins. Then turn your head slowly in this order, and look into the camera again after each turn. Do so within the first ${seconds} seconds.`,
    why: "This shows that the video is made now: each video has turns of its own.",
    turns: { LEFT: "To your left", RIGHT: "To your right" }
  },
  preview: "What your camera sees",
  upload: "Upload",
  buttons: {
    camera: "Use the camera",
    record: "Start recording",
    stop: "Stop",
    send: "Send this video",
    resume: "Continue sending",
    again: "Record again"
  },
  choose: "Choose a video",
  sendChosen: "Send",
  withoutScripts: ({ megabytes }: { readonly megabytes: string }) =>
    `Without scripts a video can have ${megabytes} at most.`,
  notUsed: "The video could not be used",
  problems: {
    none: "No video was chosen.",
    tooLarge: ({ megabytes }: { readonly megabytes: string }) =>
      `It is larger than ${megabytes}. Please record a shorter one.`,
    tooLong: ({ minutes }: { readonly minutes: number }) =>
      `It is longer than ${englishPlural(minutes, { one: "one minute", other: `${minutes} minutes` })}. Please record a shorter one.`,
    unsupported: "It is not a kind of video we can read. Please record it here, or choose an MP4, MOV or WebM file.",
    unreadable: "It could not be read. Please record another one.",
    noChallenge:
      "It was not made for the turns that are asked for now: they hold for one video and for some minutes. Please record another one with the turns below.",
    overBudget: "Enough was sent for today. Please try again tomorrow.",
    notWhole: "It did not arrive whole. Please send it again.",
    anotherBegun: "Another upload was begun meanwhile. Please send it again."
  },
  script: {
    slow: "The connection is slow. Trying again …",
    notUsed: "The video could not be used. Please record another one.",
    signedOut: "You were signed out. Reload this page to see how to sign in again.",
    sending: ({ percent }: { readonly percent: string }) => `Sending your video: ${percent} %`,
    almostDone: "Almost done …",
    notWhole: "The video did not arrive whole. Please try again.",
    empty: "This file is empty. Please choose or record another one.",
    tooLarge: "This video is too large. Please record a shorter one.",
    broken: "The connection broke. What has arrived is kept: continue when you are online again.",
    notAllowed: "The camera may not be used. Allow it in your browser's settings, or choose a video below.",
    noCamera: "No camera can be used: there is none here, or another app is using it. You can choose a video below.",
    cameraOn: "The camera is on. Make sure your whole face is in view.",
    noPicture: "The camera gave no picture. Try again, or choose a video below.",
    watch: "Watch your video. Send it, or record it again.",
    interrupted:
      "The recording ended early: the page was left, or the camera was taken away. Watch your video. Send it, or record it again.",
    cannotRecord: "This browser cannot record here. You can choose a video below.",
    recording: "Recording. Turn your head in the order shown, then show the vehicle.",
    leave: "Your video has not been sent: it is lost if you leave this page now. Leave it all the same?",
    recorded: ({ longest, seconds }: { readonly longest: string; readonly seconds: string }) =>
      `Recording: ${seconds} of ${longest} seconds`
  }
}

export type VideoWords = typeof englishVideo
