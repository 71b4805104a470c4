/** How a page shows the company that speaks on it, and whom a customer can ask, in Polish. */
import type { CompanyWords } from "../en/company.ts"

export const polishCompany: CompanyWords = {
  questions: "Mają Państwo pytania?",
  call: ({ company }) => `Telefon do firmy ${company}:`,
  reply: ({ company }) =>
    `Wystarczy odpowiedzieć na dowolną naszą wiadomość e-mail: odpowiedź trafi do firmy ${company}.`,
  replyToAny: "Mają Państwo pytania? Wystarczy odpowiedzieć na dowolną naszą wiadomość e-mail.",
  back: ({ company }) => `Powrót na stronę firmy ${company}`
}
