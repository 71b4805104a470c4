/** The API version that every webhook body and every document carries (§9). */
export const apiVersion = "1.0.0"
