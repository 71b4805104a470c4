/** The limits of the console's pages. What a session may live, and how many rows a list has, is said elsewhere. */

export const consoleLimits = {
  /** Characters of the sentence that a page shows once, after a form: one line. */
  longestFlash: 200,
  /** Characters of the path that somebody is led back to after signing in. A link in a mail has about 80. */
  longestWayBack: 200
} as const
