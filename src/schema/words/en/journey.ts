/** The page of a journey: where it stands and what is asked now, in English. */

export const englishJourney = {
  greeting: ({ firstName }: { readonly firstName: string }) => `Hello ${firstName}`,
  soldBy: ({ seller }: { readonly seller: string }) => `Sold by ${seller}`,
  askedNow: "What is asked now",
  yourSteps: "Your steps",
  standings: { DONE: "Done", NOW: "Your turn", WAITING: "In progress", LATER: "Later" },
  /** The team's reason follows, in the team's own words. */
  rejected: "Somebody of the team looked at your last check and could not accept it. This is why:",
  /** Of the step that is asked now; the mails that remind of it say the same. */
  until: ({ until }: { readonly until: string }) => `You can do it until ${until}.`,
  nothing: { heading: "There is nothing for you to do now", text: "We email you when it is your turn again." },
  identity: {
    again: "Please verify your identity again",
    failed: "The last check did not succeed. Good light and your whole face in view help most.",
    inReview: "Your identity check is being looked at",
    inReviewBy: "Somebody of the team is looking at it. There is nothing for you to do; we email you.",
    unavailable: "The identity check has to wait",
    unavailableUntil: "It cannot be started just now. The team knows and will send you a new link."
  },
  video: {
    again: "Please record the video again",
    unclear: "We could not tell from the last one that it was you. Good light and your whole face in view help most.",
    recordAgain: "Record again",
    checked: "Your video is being checked",
    checkedFor: "This takes a minute or two. You can close this page: we email you as soon as we know.",
    seeWhether: "See whether it is done",
    inReview: "Your video is being looked at",
    inReviewBy: "Somebody of the team is looking at your video. There is nothing for you to do; we email you."
  }
}

export type JourneyWords = typeof englishJourney
