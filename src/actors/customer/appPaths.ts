/** The paths of the customer's app that other parts of the service name. They follow the service's own address. */

/** The page of a signed-in customer's journey. */
export const journeyPagePath = "/app/journey"

/** A sign-in link. Its page shows a button; the button spends the link. */
export const linkPath = (token: string) => `/app/l/${token}` as const
