/**
 * The consent to the comparison of faces, its refusal and its withdrawal, in English. A notice whose text changes gets a new
 * version in `consentNotices.ts`.
 */
import { englishPlural } from "../locale/plural.ts"

interface Company {
  readonly company: string
}

interface Kept {
  readonly days: number
}

const inDays = (days: number) => `${days} ${englishPlural(days, { one: "day", other: "days" })}`

export const englishConsent = {
  what: "What is compared",
  byWhom: "By whom",
  howLong: "How long it is kept",
  choice: "Your choice",
  version: ({ version }: { readonly version: string }) => `Notice ${version}`,
  back: "Back",
  identity: {
    heading: "May we compare your photos?",
    intro: "Please read this first. Nothing is photographed or compared before you agree.",
    what: "The face on the photo of your identity document is compared with the face on your selfie, to see whether both show one person. Where a machine can read the document, your name and your date of birth are compared with the details of your purchase, too.",
    byWhom: ({ company }: Company) =>
      `For ${company}, by the operator of this service, on the operator's own machines. If the result is not clear, a person of the team of ${company} looks at your photos. Nobody else gets them.`,
    howLong: ({ days }: Kept) =>
      `The photo of your document is deleted soon after the decision. Your selfie, with which your handover video is compared, and a small grey copy of each photo, which shows when one photo is given twice, are deleted ${inDays(days)} after your purchase has ended. A good photo that waits for the other one is kept for an hour. Everything is encrypted.`,
    choice: ({ company }: Company) =>
      `You need not agree. Then the team of ${company} finishes the check with you in another way. You can withdraw your consent until your purchase has ended, and your photos and videos are deleted.`,
    agree: "I agree",
    refuse: "I do not agree",
    refusal: {
      heading: "You do not want your photos to be compared",
      text: ({ company }: Company) =>
        `No photos are taken. The team of ${company} finishes the identity check with you in another way, and contacts you. If you change your mind later, reply to one of our emails: the team can ask you again.`,
      confirm: "Do not compare my photos"
    }
  },
  video: {
    heading: "May we compare your handover video?",
    intro: "Please read this first. Nothing is recorded or compared before you agree.",
    what: "The face in a few frames of your video is compared with a photo of you: the selfie or portrait of your identity check, or the photo that the seller sent. The frames also show whether you turn your head as asked, so that nobody uses a photo or an old film of you.",
    byWhom: ({ company }: Company) =>
      `For ${company}, by the operator of this service, on the operator's own machines. If the result is not clear, a person of the team of ${company} watches your video. Nobody else gets it.`,
    howLong: ({ days }: Kept) =>
      `Your video and the photo are deleted ${inDays(days)} after your purchase has ended. A video that was not sent to its end is deleted after a day. Everything is encrypted.`,
    choice: ({ company }: Company) =>
      `You need not agree. Then the team of ${company} finishes the handover with you in another way. You can withdraw your consent until your purchase has ended, and your photos and videos are deleted.`,
    agree: "I agree",
    refuse: "I do not agree",
    refusal: {
      heading: "You do not want your video to be compared",
      text: ({ company }: Company) =>
        `No video is recorded. The team of ${company} finishes the handover with you in another way, and contacts you. If you change your mind later, reply to one of our emails: the team can ask you again.`,
      confirm: "Do not compare a video"
    }
  },
  withdrawal: {
    link: "Withdraw my consent and delete my photos",
    heading: "Withdraw your consent?",
    what: "Every photo and every video of your purchase is deleted from this service, and no face is compared any more. This cannot be undone.",
    after: ({ company }: Company) =>
      `What has been verified stays verified. The team of ${company} finishes with you, in another way, what is still open. You can go on without withdrawing.`,
    confirm: "Withdraw and delete",
    keep: "Go back and keep my consent"
  },
  standing: {
    refused: ({ company }: Company) =>
      `You did not agree to the comparison, so the team of ${company} finishes this step with you in another way, and contacts you. If you have changed your mind, reply to one of our emails.`,
    withdrawn: ({ company }: Company) =>
      `You have withdrawn your consent, so the team of ${company} finishes this step with you in another way, and contacts you.`,
    heading: "The team finishes this step with you",
    deleting: "You have withdrawn your consent. Your photos and videos are being deleted.",
    deleted: "You have withdrawn your consent. Your photos and videos have been deleted."
  }
}

export type ConsentWords = typeof englishConsent
