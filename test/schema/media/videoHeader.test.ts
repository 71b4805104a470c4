import { sentVideoLimits } from "../../../src/schema/media/limits.ts"
import { describe, expect, it } from "vitest"
import { videoKind } from "../../../src/schema/media/videoHeader.ts"

const latin = (text: string) => Buffer.from(text, "latin1")

describe("the first bytes of a video", () => {
  it.each([
    ["MP4", "\0\0\0\x20ftypisom"],
    ["QuickTime", "\0\0\0\x14ftypqt  "],
    ["MP4 of a telephone", "\0\0\0\x18ftypmp42"]
  ])("say that it is %s", (_name, bytes) => {
    expect(videoKind(latin(bytes))).toBe("MP4")
  })

  it("say that it is WebM or Matroska", () => {
    expect(videoKind(latin("\x1a\x45\xdf\xa3\x9f\x42\x86\x81\x01\x42\xf7\x81"))).toBe("WEBM")
  })

  it.each([
    ["an AVI film", "RIFF\x10\0\0\0AVI "],
    ["a playlist that names other files", "#EXTM3U\n#EXT"],
    ["a list of files to join", "ffconcat ver"],
    ["an FLV film", "FLV\x01\x05\0\0\0\x09\0\0\0"],
    ["an MPEG transport stream", "G@\0\x10\0\0\xb0\x0d\0\x01\xc1\0"],
    ["a photo", "\xff\xd8\xff\xe0\0\x10JFIF\0\x01"],
    ["a web page", "<!doctype ht"],
    ["the type of a file, but not where it stands", "ftypisom\0\0\0\0"],
    ["nothing", ""]
  ])("say that %s is none", (_name, bytes) => {
    expect(videoKind(latin(bytes))).toBe("OTHER")
  })

  it("are as many as are needed to tell", () => {
    expect(videoKind(latin("\0\0\0\x20ftypisom").subarray(0, sentVideoLimits.kindBytes))).toBe("MP4")
  })
})

it("lets the largest video be sent in the largest parts", () => {
  expect(sentVideoLimits.mostParts * sentVideoLimits.largestPartBytes).toBeGreaterThanOrEqual(
    sentVideoLimits.largestBytes
  )
})
