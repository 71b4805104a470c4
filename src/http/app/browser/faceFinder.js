/*
 * Finds faces in a small picture, in the browser: the tiny face detector whose weights @vladmandic/face-api ships (MIT), written
 * out as plain arithmetic. It needs no WebAssembly and no graphics card, and gives the page its turn between layers. It only
 * helps the customer to take a good photo: the service judges photos with a larger network.
 */

/** The boxes that the network corrects, in cells of its grid: width and height. */
const anchors = [
  [1.603231, 2.094468],
  [6.041143, 7.080126],
  [2.882459, 3.518061],
  [4.266906, 5.178857],
  [9.041765, 10.66308]
]
const meanColour = [117.001, 114.697, 97.404]
const numbersOfBox = 5
const leastScore = 0.35
/** Boxes that overlap by more than this are one face. */
const mostOverlap = 0.3

/** The weights by name: each is stored in bytes, with the scale and the least value of its layer. */
export const networkOf = (manifest, bytes) => {
  const weights = {}
  let at = 0
  for (const { name, quantization, shape } of manifest.flatMap((group) => group.weights)) {
    const size = shape.reduce((product, length) => product * length, 1)
    const values = new Float32Array(size)
    for (let index = 0; index < size; index += 1)
      values[index] = bytes[at + index] * quantization.scale + quantization.min
    weights[name] = values
    at += size
  }
  if (at !== bytes.length) throw new Error("the weights do not fit their list")
  return weights
}

const leaky = (value) => (value > 0 ? value : 0.1 * value)

/** The first layer: three by three pixels, without a margin. */
const convolved = ({ channels, size, values }, filters, bias) => {
  const outputs = bias.length
  const side = size - 2
  const out = new Float32Array(side * side * outputs)
  for (let y = 0; y < side; y += 1) {
    for (let x = 0; x < side; x += 1) {
      const to = (y * side + x) * outputs
      for (let output = 0; output < outputs; output += 1) out[to + output] = bias[output]
      for (let row = 0; row < 3; row += 1) {
        for (let column = 0; column < 3 * channels; column += 1) {
          const value = values[((y + row) * size + x) * channels + column]
          const from = (row * 3 * channels + column) * outputs
          for (let output = 0; output < outputs; output += 1) out[to + output] += value * filters[from + output]
        }
      }
      for (let output = 0; output < outputs; output += 1) out[to + output] = leaky(out[to + output])
    }
  }
  return { channels: outputs, size: side, values: out }
}

/** Each channel on its own, with a margin of zeros. */
const blurredByChannel = ({ channels, size, values }, filters) => {
  const out = new Float32Array(values.length)
  for (let y = 0; y < size; y += 1) {
    for (let x = 0; x < size; x += 1) {
      const to = (y * size + x) * channels
      for (let row = Math.max(0, y - 1); row <= Math.min(size - 1, y + 1); row += 1) {
        for (let column = Math.max(0, x - 1); column <= Math.min(size - 1, x + 1); column += 1) {
          const from = (row * size + column) * channels
          const filter = ((row - y + 1) * 3 + column - x + 1) * channels
          for (let channel = 0; channel < channels; channel += 1) {
            out[to + channel] += values[from + channel] * filters[filter + channel]
          }
        }
      }
    }
  }
  return { channels, size, values: out }
}

/** Mixes the channels of each pixel. */
const mixed = ({ channels, size, values }, filters, bias, activation) => {
  const outputs = bias.length
  const out = new Float32Array(size * size * outputs)
  for (let pixel = 0; pixel < size * size; pixel += 1) {
    const to = pixel * outputs
    for (let output = 0; output < outputs; output += 1) out[to + output] = bias[output]
    for (let channel = 0; channel < channels; channel += 1) {
      const value = values[pixel * channels + channel]
      const from = channel * outputs
      for (let output = 0; output < outputs; output += 1) out[to + output] += value * filters[from + output]
    }
    for (let output = 0; output < outputs; output += 1) out[to + output] = activation(out[to + output])
  }
  return { channels: outputs, size, values: out }
}

/** The largest of two by two; beyond the edge there is nothing. */
const pooled = ({ channels, size, values }, stride) => {
  const side = Math.ceil(size / stride)
  const out = new Float32Array(side * side * channels).fill(Number.NEGATIVE_INFINITY)
  for (let y = 0; y < side; y += 1) {
    for (let x = 0; x < side; x += 1) {
      const to = (y * side + x) * channels
      for (let row = y * stride; row < Math.min(size, y * stride + 2); row += 1) {
        for (let column = x * stride; column < Math.min(size, x * stride + 2); column += 1) {
          const from = (row * size + column) * channels
          for (let channel = 0; channel < channels; channel += 1) {
            if (values[from + channel] > out[to + channel]) out[to + channel] = values[from + channel]
          }
        }
      }
    }
  }
  return { channels, size: side, values: out }
}

const pictureOf = (rgba, size) => {
  const values = new Float32Array(size * size * 3)
  for (let pixel = 0; pixel < size * size; pixel += 1) {
    for (let channel = 0; channel < 3; channel += 1) {
      values[pixel * 3 + channel] = (rgba[pixel * 4 + channel] - meanColour[channel]) / 255
    }
  }
  return { channels: 3, size, values }
}

const sigmoid = (value) => 1 / (1 + Math.exp(-value))

/** Boxes in parts of the picture's side, and how sure the network is of each. */
const boxesOf = ({ channels, size, values }) => {
  const boxes = []
  for (let cell = 0; cell < size * size; cell += 1) {
    for (const [index, [width, height]] of anchors.entries()) {
      const at = cell * channels + index * numbersOfBox
      const score = sigmoid(values[at + 4])
      if (score < leastScore) continue
      const box = {
        width: (Math.exp(values[at + 2]) * width) / size,
        height: (Math.exp(values[at + 3]) * height) / size
      }
      const x = ((cell % size) + sigmoid(values[at])) / size - box.width / 2
      const y = (Math.floor(cell / size) + sigmoid(values[at + 1])) / size - box.height / 2
      boxes.push({ ...box, x, y, score })
    }
  }
  return boxes
}

const overlap = (one, other) => {
  const across = Math.min(one.x + one.width, other.x + other.width) - Math.max(one.x, other.x)
  const down = Math.min(one.y + one.height, other.y + other.height) - Math.max(one.y, other.y)
  const both = Math.max(0, across) * Math.max(0, down)
  return both / (one.width * one.height + other.width * other.height - both)
}

/** Of boxes that overlap, the surest one stays. */
const apart = (boxes) => {
  const kept = []
  for (const box of boxes.toSorted((one, other) => other.score - one.score)) {
    if (!kept.some((one) => overlap(one, box) > mostOverlap)) kept.push(box)
  }
  return kept
}

/** The faces in a square picture of `size` times `size` pixels. `turn`: gives others their turn between two layers. */
export const findFaces = async (network, rgba, size, turn = () => Promise.resolve()) => {
  let picture = convolved(pictureOf(rgba, size), network["conv0/filters"], network["conv0/bias"])
  picture = pooled(picture, 2)
  for (const layer of [1, 2, 3, 4, 5]) {
    await turn()
    picture = blurredByChannel(picture, network[`conv${layer}/depthwise_filter`])
    picture = mixed(picture, network[`conv${layer}/pointwise_filter`], network[`conv${layer}/bias`], leaky)
    picture = pooled(picture, layer === 5 ? 1 : 2)
  }
  await turn()
  return apart(boxesOf(mixed(picture, network["conv8/filters"], network["conv8/bias"], (value) => value)))
}
