/**
 * Everything that is kept of a customer in one journey, in one answer: what a customer may ask a company for. Photos and the
 * video are too large for it; the case file in it says where they are. Nothing here is kept in this form.
 */
import { Schema } from "effect"
import { CaseFileResource } from "./CaseFile.ts"
import { TimelineEntry } from "./timeline.ts"

export const CaseExportResource = Schema.Struct({
  exportedAt: Schema.String,
  caseFile: CaseFileResource,
  start: Schema.NullOr(Schema.Record(Schema.String, Schema.Unknown)).annotate({
    description: "What the start said, member by member; null when the customer was erased"
  }),
  timeline: Schema.Array(TimelineEntry).annotate({ description: "The oldest line first" }),
  isTimelineWhole: Schema.Boolean.annotate({
    description: "False when the journey has more lines than an export holds; the timeline has them all"
  })
}).annotate({ identifier: "CaseExport" })
export type CaseExportResource = typeof CaseExportResource.Type
