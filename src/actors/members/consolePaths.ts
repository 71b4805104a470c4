/** Where the console is found by whoever has to name it outside its pages: mail, and the pages of the customer's app. */
export const consoleSignInPath = "/console/sign-in"
