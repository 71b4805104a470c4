/** Paths of the customer's app that links lead to. They follow the service's own address; the app serves them. */

/** The page of a signed-in customer's journey. */
export const journeyPath = "/app/journey"

/** The page of a sign-in link, which shows the link and spends it when the customer presses its button. */
export const linkPath = (token: string): string => `/app/l/${token}`
