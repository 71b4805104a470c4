/** What went wrong with a request, and what the customer can do, in English. */
export const englishProblems = {
  of: {
    anything: {
      heading: "Something went wrong",
      text: "It is our mistake, and we have taken note of it. Please try again in a moment."
    },
    noSuchPage: {
      heading: "There is no such page",
      text: "The address may be incomplete: open the link in your email again."
    },
    tooLarge: { heading: "That was too large", text: "Nothing was kept. Go back and choose a smaller file." },
    unreadable: { heading: "That could not be read", text: "Go back, reload the page and try again." },
    tooFast: { heading: "That was a little fast", text: "Please wait a minute and try again." },
    away: {
      heading: "We cannot answer just now",
      text: "Nothing you sent is lost for good: please try again in a moment."
    },
    tooSlow: {
      heading: "That took too long",
      text: "Your connection was too slow, or was interrupted. Nothing was kept. Please try again, perhaps where the connection is better."
    },
    headersTooLarge: {
      heading: "That could not be read",
      text: "Your browser sent more than we can take. Remove the cookies of this site, then open the link in your email again."
    }
  },
  unknownOutcome: {
    heading: "We do not know whether that arrived",
    look: "Please see where your purchase stands before you send it again."
  }
}

export type ProblemWords = typeof englishProblems
