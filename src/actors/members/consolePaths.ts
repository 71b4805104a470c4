/** The paths of the console that mail names, too. They follow the service's own address. */
export const consoleSignInPath = "/console/sign-in"
