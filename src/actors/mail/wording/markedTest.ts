/** How mail about a test journey can be told from live mail at first sight, and whom the live mail would have reached (decision S8). */
import { testMark, type Email } from "./Email.ts"

export const markedTest = ({ paragraphs, subject, ...email }: Email, intended: string): Email => ({
  ...email,
  subject: `${testMark}${subject}`,
  paragraphs: [`This is mail about a test journey. Of a live one it would have gone to ${intended}.`, ...paragraphs]
})
