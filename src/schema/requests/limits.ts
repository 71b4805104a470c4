/** The limits of what outside providers call back with, each with its reason. The limits of bodies are the server's. */
export const callbackLimits = {
  /** A provider's own id of its callback, which this service keeps as a hash. */
  longestCallbackId: 255,
  /** A UUID, which this service gave the provider. */
  longestRequestId: 36,
  /** A portrait before its encoding. The chip of a passport holds about 20 KB; a provider's own photo has a few hundred. */
  largestPortraitBytes: 1024 * 1024
} as const
