/** The side of a square in which a picture is compared, in pixels. */
export const TILE = 16

/** Differences of a channel that no eye sees: smoothing and compression of the picture. */
const LEAST_DIFFERENCE = 6

async function readPixels(png: string): Promise<ImageData> {
  const image = new Image()
  image.src = `data:image/png;base64,${png}`
  await image.decode()
  const canvas = new OffscreenCanvas(image.width, image.height)
  const pen = canvas.getContext('2d', { willReadFrequently: true })!
  pen.drawImage(image, 0, 0)
  return pen.getImageData(0, 0, image.width, image.height)
}

/** The squares that differ between two pictures of the same size, counted by rows. Runs in the document around the page. */
export async function compareTiles(before: string, after: string): Promise<number[]> {
  const [one, other] = await Promise.all([readPixels(before), readPixels(after)])
  const { width, height } = one
  const columns = Math.ceil(width / TILE)
  const first = new Uint32Array(one.data.buffer)
  const second = new Uint32Array(other.data.buffer)
  const found = new Set<number>()
  for (let at = 0; at < first.length; at++) {
    if (first[at] === second[at]) continue
    const tile = Math.floor(Math.floor(at / width) / TILE) * columns + Math.floor((at % width) / TILE)
    if (found.has(tile)) continue
    for (let channel = 0; channel < 3; channel++)
      if (Math.abs(one.data[at * 4 + channel]! - other.data[at * 4 + channel]!) >= LEAST_DIFFERENCE) found.add(tile)
  }
  return height === other.height ? [...found] : []
}

/** Puts moments of a page beside one another, three in a row. Runs in the document around the page. */
export async function makeStrip(frames: readonly string[], width: number, height: number): Promise<string> {
  const columns = 3
  const canvas = document.createElement('canvas')
  canvas.width = width * columns
  canvas.height = height * Math.ceil(frames.length / columns)
  const pen = canvas.getContext('2d')!
  for (const [index, png] of frames.entries()) {
    const image = new Image()
    image.src = `data:image/png;base64,${png}`
    await image.decode()
    pen.drawImage(image, (index % columns) * width, Math.floor(index / columns) * height, width, height)
  }
  const address = canvas.toDataURL('image/png')
  return address.slice(address.indexOf(',') + 1)
}
