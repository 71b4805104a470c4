/** How a page shows the company that speaks on it, and whom a customer can ask, in English. */
export const englishCompany = {
  questions: "Questions?",
  call: ({ company }: { readonly company: string }) => `Call ${company}:`,
  reply: ({ company }: { readonly company: string }) => `Reply to any of our emails: your answer goes to ${company}.`,
  replyToAny: "Questions? Reply to any of our emails.",
  back: ({ company }: { readonly company: string }) => `Back to the site of ${company}`
}

export type CompanyWords = typeof englishCompany
