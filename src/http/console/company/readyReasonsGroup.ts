/** The group of a company's settings with the reasons that its reviewers can choose. */
import { reasonTextLimits } from "../../../schema/company/limits.ts"
import { lengthOfReason } from "../../../schema/company/reasonText.ts"
import { linesOrNull, type SettingsGroup } from "./settingsGroup.ts"

const perLine = `One a line, each of ${lengthOfReason}; at most ${reasonTextLimits.mostReadyReasons}.`

export const readyReasonsGroup = {
  title: "Reasons for reviews",
  about: "Reviewers choose one of these instead of typing it anew, and can still change it. Name no customer here.",
  fields: ({ approvalReasons, rejectionReasons }) => [
    {
      is: "area",
      name: "approvalReasons",
      label: "When they approve",
      value: approvalReasons,
      rows: 4,
      hint: `For your team. ${perLine}`
    },
    {
      is: "area",
      name: "rejectionReasons",
      label: "When they reject",
      value: rejectionReasons,
      rows: 4,
      hint: `The customer reads why an identity check was rejected. ${perLine}`
    }
  ],
  body: (fields) => ({
    approvalReasons: linesOrNull(fields, "approvalReasons"),
    rejectionReasons: linesOrNull(fields, "rejectionReasons")
  })
} satisfies SettingsGroup
