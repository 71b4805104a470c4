/**
 * What a customer uploads in parts, one row a medium: for which step, to which path, of which size, and which kind of file its
 * first bytes must show. Routes, stores, pages and scripts read these rows. What becomes of a finished upload is the step's business.
 */
import type { CustomerStep } from "../../../schema/journey/steps.ts"
import { imageType } from "../../../schema/media/imageHeader.ts"
import { sentPhotoLimits, sentVideoLimits } from "../../../schema/media/limits.ts"
import { videoKind } from "../../../schema/media/videoHeader.ts"
import { largestPhotoBytes } from "../../../schema/start/rules.ts"

export type MediaKind = "MP4" | "WEBM" | "JPEG" | "PNG"

interface UploadRow {
  readonly step: CustomerStep
  readonly path: `/app/${string}-uploads`
  readonly largestBytes: number
  /** Of one part. */
  readonly largestPartBytes: number
  readonly mostParts: number
  /** The first part has at least so many bytes, from which its kind is told. */
  readonly kindBytes: number
  readonly kindOf: (firstBytes: Uint8Array) => MediaKind | "OTHER"
  /** Ends a sentence about a file of another kind. */
  readonly kindRule: string
}

const photo = {
  step: "VERIFY_IDENTITY",
  largestBytes: largestPhotoBytes,
  largestPartBytes: sentPhotoLimits.largestPartBytes,
  mostParts: sentPhotoLimits.mostParts,
  kindBytes: sentPhotoLimits.kindBytes,
  kindOf: imageType,
  kindRule: "must be a JPEG or PNG photo"
} as const

/** Keyed by the medium as it is stored. */
export const UPLOADS = {
  VIDEO: {
    step: "RECORD_VIDEO",
    path: "/app/video-uploads",
    largestBytes: sentVideoLimits.largestBytes,
    largestPartBytes: sentVideoLimits.largestPartBytes,
    mostParts: sentVideoLimits.mostParts,
    kindBytes: sentVideoLimits.kindBytes,
    kindOf: videoKind,
    kindRule: "must be an MP4, QuickTime or WebM video"
  },
  DOCUMENT_PHOTO: { ...photo, path: "/app/document-uploads" },
  SELFIE: { ...photo, path: "/app/selfie-uploads" }
} as const satisfies Readonly<Record<string, UploadRow>>

export type Medium = keyof typeof UPLOADS
export type PhotoMedium = Exclude<Medium, "VIDEO">

export const uploadRow = (medium: Medium): UploadRow => UPLOADS[medium]
