/** How a page shows the company that speaks on it, and whom a customer can ask, in Romanian. */
import type { CompanyWords } from "../en/company.ts"

export const romanianCompany: CompanyWords = {
  questions: "Aveți întrebări?",
  call: ({ company }) => `Sunați la ${company}:`,
  reply: ({ company }) => `Răspundeți la oricare dintre e-mailurile noastre: răspunsul ajunge la ${company}.`,
  replyToAny: "Aveți întrebări? Răspundeți la oricare dintre e-mailurile noastre.",
  back: ({ company }) => `Înapoi la site-ul ${company}`
}
