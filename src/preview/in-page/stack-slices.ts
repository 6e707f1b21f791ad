/** One screenful of a page. */
export interface Slice {
  /** How far down the page it begins. */
  top: number
  /** In base 64. */
  png: string
}

/**
 * Puts screenfuls together to one picture of the whole page, in base 64. Runs in the document around the page. A frame as tall as
 * the page would be simpler, but then everything in the page that is "as tall as the screen" would be as tall as the page.
 */
export async function stackSlices(slices: readonly Slice[], width: number, height: number): Promise<string> {
  const canvas = document.createElement('canvas')
  canvas.width = width
  canvas.height = height
  const pen = canvas.getContext('2d')!
  for (const { top, png } of slices) {
    const image = new Image()
    image.src = `data:image/png;base64,${png}`
    await image.decode()
    pen.drawImage(image, 0, top)
  }
  const address = canvas.toDataURL('image/png')
  return address.slice(address.indexOf(',') + 1)
}
