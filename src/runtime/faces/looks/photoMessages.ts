/**
 * What the service asks the processes that look at photos, what they answer, and both as messages. The processes import this file too: it
 * imports nothing that takes time to load. The service judges what it is answered in `photoAnswers.ts`.
 */
import type { CleanLogo } from "../../../actors/company/LogoCheck.ts"
import type { CleanPhoto, ComparedFace, FaceRefused, ReadDocument, ReadFace } from "../../../actors/faces/FaceCheck.ts"
import type { Message } from "../../processes/messages.ts"
import type { FaceBackend } from "../networks/backends.ts"

/** What is to be seen in a photo. */
export interface PhotoLook {
  readonly _tag: "Check" | "Logo" | "Read" | "Document" | "Compared" | "Turned"
  readonly photo: Uint8Array
}

export type PhotoSeen =
  | { readonly _tag: "Check"; readonly photo: CleanPhoto }
  | ({ readonly _tag: "Logo" } & CleanLogo)
  | ({ readonly _tag: "Read" } & ReadFace)
  | ({ readonly _tag: "Document" } & ReadDocument)
  | ({ readonly _tag: "Compared" } & ComparedFace)
  | { readonly _tag: "Turned"; readonly turned: number }
  | { readonly _tag: "Refused"; readonly code: FaceRefused["code"]; readonly isBlurred: boolean }
  | { readonly _tag: "Unreadable"; readonly rule: string }

/** What a process says when it is ready. */
export interface PhotosReady {
  readonly _tag: "Ready"
  readonly backend: FaceBackend
}

export const questionOf = ({ _tag, photo }: PhotoLook): Message => ({ line: { _tag }, parts: [photo] })

/** In the process: what it was asked. The service asks nothing else. */
export const lookIn = ({ line, parts: [photo = new Uint8Array()] }: Message): PhotoLook => ({
  ...(line as Pick<PhotoLook, "_tag">),
  photo
})

/** In the process: an answer. Pictures are parts; numbers stand in the line. */
export const answerTo = (answer: PhotoSeen): Message => {
  switch (answer._tag) {
    case "Check": {
      const { facePart, jpeg, print } = answer.photo
      return { line: { _tag: "Check", facePart }, parts: [jpeg, print] }
    }
    case "Read": {
      const { facePart, jpeg, print } = answer.photo
      return { line: { _tag: "Read", facePart, numbers: [...answer.numbers] }, parts: [jpeg, print] }
    }
    case "Document": {
      const { facePart, jpeg, print } = answer.photo
      const beside = answer.beside.map(({ numbers }) => [...numbers])
      return { line: { _tag: "Document", facePart, numbers: [...answer.numbers], beside }, parts: [jpeg, print] }
    }
    case "Compared":
      return { line: { _tag: "Compared", numbers: [...answer.numbers] }, parts: [answer.print] }
    case "Logo": {
      const { bytes, ...line } = answer
      return { line, parts: [bytes] }
    }
    case "Refused":
    case "Turned":
    case "Unreadable":
      return { line: answer, parts: [] }
  }
}
