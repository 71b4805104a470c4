/** The version every webhook body and document carries (§9). */
export const apiVersion = "1.0.0"
