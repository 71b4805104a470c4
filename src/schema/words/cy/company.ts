/** How a page shows the company that speaks on it, and whom a customer can ask, in Welsh. */
import type { CompanyWords } from "../en/company.ts"

export const welshCompany: CompanyWords = {
  questions: "Cwestiynau?",
  call: ({ company }) => `Ffoniwch ${company}:`,
  reply: ({ company }) => `Atebwch unrhyw un o'n negeseuon e-bost: bydd eich ateb yn mynd at ${company}.`,
  replyToAny: "Cwestiynau? Atebwch unrhyw un o'n negeseuon e-bost.",
  back: ({ company }) => `Yn ôl i wefan ${company}`
}
