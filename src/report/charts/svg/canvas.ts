import { html, type Content, type Markup } from '../../formats/html/html-markup.ts'
import { shortenName } from '../../words/index.ts'

export const chartThemes = ['light', 'dark'] as const
export type ChartTheme = (typeof chartThemes)[number]

/** Colours are written into the drawing: most programs that read SVG know neither variables nor media queries. */
interface Palette {
  page: string
  text: string
  muted: string
  line: string
  mark: string
  down: string
}

const PALETTES: Record<ChartTheme, Palette> = {
  light: { page: '#ffffff', text: '#1f2428', muted: '#5b656e', line: '#dfe3e7', mark: '#2463a8', down: '#b3261e' },
  dark: { page: '#15181b', text: '#e4e7ea', muted: '#9aa5af', line: '#2d343a', mark: '#7fb2ee', down: '#ff8a80' },
}

export interface Drawing {
  title: string
  /** What the marks mean. */
  caption: string
  width: number
  /** Of the marks, without title and caption. */
  height: number
  /** Draws the marks with (0, 0) below the title. */
  draw(palette: Palette): Content
}

const PADDING = 16
const TITLE_HEIGHT = 36
const LINE_HEIGHT = 16
/** Estimated: text cannot be measured here. */
const LETTER_WIDTH = 6.4

/** Breaks at blanks, into as many lines as needed. */
function wrapLabel(text: string, width: number): string[] {
  const room = Math.max(20, Math.floor(width / LETTER_WIDTH))
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const last = lines.at(-1)
    if (last !== undefined && last.length + word.length < room) lines[lines.length - 1] = `${last} ${word}`
    else lines.push(word)
  }
  return lines
}

/** One SVG file that looks the same everywhere: no style sheets, scripts or outside references. */
export function writeDrawing({ title, caption, width, height, draw }: Drawing, theme: ChartTheme = 'light'): string {
  const palette = PALETTES[theme]
  const lines = wrapLabel(caption, width)
  const [fullWidth, fullHeight] = [
    width + 2 * PADDING,
    TITLE_HEIGHT + height + 8 + lines.length * LINE_HEIGHT + PADDING,
  ]
  const top = TITLE_HEIGHT + height + 8
  return `${
    html`<svg xmlns="http://www.w3.org/2000/svg" width="${fullWidth}" height="${fullHeight}" viewBox="0 0 ${fullWidth} ${fullHeight}" role="img" font-family="Inter, 'Helvetica Neue', Helvetica, Arial, sans-serif" font-size="12">
<title>${title}</title>
<desc>${caption}</desc>
<rect width="${fullWidth}" height="${fullHeight}" fill="${palette.page}"/>
<text x="${PADDING}" y="24" fill="${palette.text}" font-size="15" font-weight="600">${shortenName(title, Math.floor(width / 8))}</text>
<g transform="translate(${PADDING} ${TITLE_HEIGHT})">${draw(palette)}</g>
<g fill="${palette.muted}" font-size="11.5">${lines.map((line, index) => html`<text x="${PADDING}" y="${top + (index + 1) * LINE_HEIGHT - 4}">${line}</text>`)}</g>
</svg>`.text
  }\n`
}

export function drawText(
  text: string,
  { x, y, fill, anchor = 'start', weight }: { x: number; y: number; fill: string; anchor?: string; weight?: number },
): Markup {
  return html`<text x="${round(x)}" y="${round(y)}" fill="${fill}" text-anchor="${anchor}"${weight !== undefined && html` font-weight="${weight}"`}>${text}</text>`
}

export function drawLine(
  [x1, y1]: readonly [number, number],
  [x2, y2]: readonly [number, number],
  { stroke, width = 1, dash }: { stroke: string; width?: number; dash?: string },
): Markup {
  return html`<line x1="${round(x1)}" y1="${round(y1)}" x2="${round(x2)}" y2="${round(y2)}" stroke="${stroke}" stroke-width="${width}"${dash !== undefined && html` stroke-dasharray="${dash}"`}/>`
}

/** A dot with its interval along x. */
export function drawInterval(
  { low, mean, high }: { low: number; mean: number; high: number },
  y: number,
  colour: string,
): Markup {
  const line = { stroke: colour, width: 2 }
  return html`${drawLine([low, y], [high, y], line)}${drawLine([low, y - 5], [low, y + 5], line)}${drawLine([high, y - 5], [high, y + 5], line)}<circle cx="${round(mean)}" cy="${round(y)}" r="4.5" fill="${colour}"/>`
}

export const round = (value: number) => Math.round(value * 100) / 100
