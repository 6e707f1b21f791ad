import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { launchChromium } from '../../src/preview/index.ts'
import { buildFonts } from '../../src/preview/vendor/build-fonts.ts'

let folder: string
let browser: Browser

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'benchmaker-fonts-'))
  await buildFonts(join(folder, 'fonts'))
  browser = await launchChromium({ previews: folder })
})
afterAll(async () => {
  await browser?.close()
  rmSync(folder, { recursive: true, force: true })
})

/** Draws each text; returns its pixels, and whether they have a colour. */
const DRAW = `(texts) => texts.map((text) => {
  const canvas = document.createElement('canvas')
  canvas.width = 64
  canvas.height = 64
  const pen = canvas.getContext('2d')
  pen.font = '40px sans-serif'
  pen.textBaseline = 'top'
  pen.fillText(text, 4, 4)
  const { data } = pen.getImageData(0, 0, 64, 64)
  return {
    pixels: Array.from(data.filter((_value, index) => index % 4 === 3)).join(),
    hasColour: data.some((value, index) => index % 4 === 0 && Math.abs(value - data[index + 2]) > 40),
  }
})`

async function draw(texts: string[]): Promise<{ pixels: string; hasColour: boolean }[]> {
  const page = await browser.newPage()
  const drawn = await page.evaluate<{ pixels: string; hasColour: boolean }[]>(`(${DRAW})(${JSON.stringify(texts)})`)
  await page.close()
  return drawn
}

/** No font has a glyph for it: it is the box that stands for all missing ones. */
const MISSING = '\u{F1234}'

describe('the fonts of the browser that takes pictures', () => {
  it('draw every script and no boxes', async () => {
    const texts = [
      MISSING,
      '你',
      '好',
      '简',
      '繁',
      '日',
      '語',
      'か',
      'ナ',
      '한',
      '글',
      'ع',
      'ب',
      'ह',
      'ि',
      'ক',
      'த',
      'ก',
      'ש',
      'A',
      'Ж',
      'Ω',
    ]
    const drawn = await draw(texts)
    expect(new Set(drawn.map(({ pixels }) => pixels)).size).toBe(texts.length)
  })

  it('draw emoji in colour, those too that a text font has in black', async () => {
    const texts = ['😀', '🎉', '🚀', '👩‍💻', '🇩🇪', '❤️', '✨', '🛒', '🫠']
    const drawn = await draw(texts)
    expect(new Set(drawn.map(({ pixels }) => pixels)).size).toBe(texts.length)
    expect(drawn.map(({ hasColour }) => hasColour)).toEqual(texts.map(() => true))
  })

  it('are small: under 40 MB', () => {
    const fonts = join(folder, 'fonts')
    const size = readdirSync(fonts).reduce((sum, name) => sum + statSync(join(fonts, name)).size, 0)
    expect(size).toBeLessThan(40_000_000)
  })
})
