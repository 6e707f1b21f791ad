import type { ChartTheme } from '../../../report/charts/svg/canvas.ts'

/** The colours that the page shows now. */
export function currentTheme(): ChartTheme {
  const chosen = document.documentElement.dataset['theme']
  if (chosen === 'light' || chosen === 'dark') return chosen
  return window.matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'
}

/** Style properties that an SVG can have as attributes. */
const PROPERTIES = [
  'fill',
  'fill-opacity',
  'stroke',
  'stroke-width',
  'stroke-opacity',
  'stroke-dasharray',
  'paint-order',
  'font-family',
  'font-size',
  'font-weight',
  'text-anchor',
  'opacity',
] as const

/** A chart of the page as a file of its own: styles become attributes, because the file has no style sheet. */
export function copySvg(svg: SVGSVGElement): string {
  const copy = svg.cloneNode(true) as SVGSVGElement
  const [originals, copies] = [
    [svg, ...svg.querySelectorAll('*')],
    [copy, ...copy.querySelectorAll('*')],
  ]
  for (const [index, original] of originals.entries()) {
    const style = getComputedStyle(original)
    const target = copies[index]!
    target.removeAttribute('class')
    target.removeAttribute('style')
    for (const property of PROPERTIES) {
      const value = style.getPropertyValue(property)
      if (value !== '' && value !== 'normal') target.setAttribute(property, value)
    }
  }
  const { width, height } = svg.getBoundingClientRect()
  copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg')
  copy.setAttribute('width', String(Math.round(width)))
  copy.setAttribute('height', String(Math.round(height)))
  if (!copy.hasAttribute('viewBox')) copy.setAttribute('viewBox', `0 0 ${Math.round(width)} ${Math.round(height)}`)
  const page = document.createElementNS('http://www.w3.org/2000/svg', 'rect')
  page.setAttribute('width', '100%')
  page.setAttribute('height', '100%')
  page.setAttribute('fill', getComputedStyle(document.body).backgroundColor)
  copy.prepend(page)
  return new XMLSerializer().serializeToString(copy)
}

/** Sharp on screens and in print. */
const SCALE = 2

/** Draws the SVG in this browser: it needs no other. */
export async function drawPng(svg: string): Promise<Blob> {
  const url = URL.createObjectURL(new Blob([svg], { type: 'image/svg+xml;charset=utf-8' }))
  try {
    const image = new Image()
    image.src = url
    await image.decode()
    const canvas = document.createElement('canvas')
    canvas.width = image.naturalWidth * SCALE
    canvas.height = image.naturalHeight * SCALE
    const context = canvas.getContext('2d')
    if (!context) throw new Error('the browser cannot draw it')
    context.drawImage(image, 0, 0, canvas.width, canvas.height)
    return await new Promise<Blob>((resolve, reject) =>
      canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('the browser cannot draw it'))), 'image/png'),
    )
  } finally {
    URL.revokeObjectURL(url)
  }
}
