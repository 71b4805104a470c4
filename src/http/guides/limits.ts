/** The limits of the pages beside the reference. */
export const guideLimits = {
  /** Results that a search shows. Whoever does not find it among these asks with other words. */
  mostFound: 25,
  /** Characters of what is searched for. A longer text is cut: it is no question. */
  longestSearch: 100,
  /** Characters of a result's text that are shown. */
  longestExcerpt: 180,
  /** Signs of an excerpt before the first word that was met: enough to read what it is about. */
  longestLead: 60,
  /** Operations that the page of a code lists openly. More of them are folded up. */
  mostOperationsOpen: 12
}
