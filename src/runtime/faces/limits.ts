/**
 * The limits of looking at photos, each with its reason: processes, memory, waiting, and how much work one photo may be. The
 * numbers by which faces are judged stand with their measurements in faceThresholds.ts.
 */
import { Duration } from "effect"

export const photoLimits = {
  /** Processes, where there are cores and memory for them; one core is left to the event loop. */
  mostProcesses: 4,
  /**
   * The machine's memory for each process. TensorFlow takes 0.5 GB, and the largest photo 1 GB while it is decoded; half of
   * the memory is for everything else.
   */
  memoryPerProcessBytes: 3 * 2 ** 30,
  /** JavaScript's objects in a process. The largest JPEG takes almost half. Pixels and TensorFlow's memory are outside of them. */
  heapMegabytes: 512,
  /** A process that nobody needs for so long ends and gives its memory back. The next photo waits two seconds for the models to be loaded. */
  keptFor: Duration.hours(1),
  /** The line of an answer before its pictures: the numbers of a face take three kilobytes, and four faces are told of at most. */
  largestLineBytes: 16_384,
  /** The pictures of an answer. A kept photo takes half a megabyte, and two at most. */
  largestAnswerBytes: 8 * 2 ** 20,
  /** Numbers that tell people apart. */
  faceNumbers: 128,
  /** Photos of one company that wait for each process. One photo takes about a second: a company alone waits as long as anybody would. */
  waitingPerProcess: 8,
  /** Companies take turns, so the photos of so many of them may wait, live and test each. Who waits holds a body in memory. */
  queuesOfAll: 8,
  /** From giving a photo to a process. A telephone photo of 12 megapixels takes a second and a half of a core, of which a busy machine gives a tenth (`niceness`). */
  lookWithin: Duration.seconds(20),
  /** From the question to the answer, waiting included. Callers wait for less: `callerWaits`. */
  answerWithin: Duration.seconds(60),
  /** Loading the models. A process that takes longer is ended, and the next photo starts another. */
  startWithin: Duration.seconds(30),
  /** Callers give up after ten seconds, so they are answered before. */
  callerWaits: Duration.seconds(9),
  /** A verdict that nobody was there to hear is kept until the caller has sent the request again. */
  verdictKept: Duration.seconds(15),
  /** Scans of a JPEG. Encoders write ten, thorough ones thirty. Each makes the decoder start over for hardly a byte. */
  mostScans: 100,
  /** Blocks of all scans: ten times those of the largest photo, which encoders go over about six times. */
  mostBlocks: 6_000_000,
  /** A PNG is inflated in pieces of this size. */
  inflatedPieceBytes: 2 ** 20,
  /**
   * The longer side of the picture that is kept. Faces are looked for in a fraction of it. A face that fills an eighth of
   * it still has 200 pixels, more than telling people apart takes, and a stored photo takes about half a megabyte.
   */
  longestSidePixels: 1600,
  /** Faces that are told apart in one photo: each is compared with every other, and a crowd is refused anyway. */
  mostFaces: 100,
  /**
   * Where cores are short, others come first. A tenth of a fair share is left: an ordinary photo has its look in time, and
   * one of the largest may not while everything else keeps all cores busy for twenty seconds. Then its caller tries again.
   */
  niceness: 10
} as const
