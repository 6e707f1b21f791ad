/**
 * Builds the fonts of the browser that takes pictures: `buildFonts('dist/fonts')`. For the build and the tests, not for the program.
 * Without them emoji and most of the world's scripts are boxes on a server, and a judge would blame the page.
 */
import { copyFileSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

const require = createRequire(import.meta.url)

/** Has no types of its own. */
const { decompress }: { decompress(font: Uint8Array): Promise<Uint8Array> } = require('wawoff2')

const SCRIPTS = ['sc', 'jp', 'kr', 'arabic', 'bengali', 'devanagari', 'hebrew', 'tamil', 'thai']

/** Parts of those packages that Arimo and Tinos have. */
const LATIN = /-(?:latin|latin-ext|cyrillic|cyrillic-ext|greek|greek-ext|vietnamese|math|symbols)-wght-/

const LATIN_STYLES = ['400Regular', '400Regular_Italic', '700Bold', '700Bold_Italic']

function folderOf(name: string): string {
  return dirname(require.resolve(`${name}/package.json`))
}

/** Removes a table. The drawings of emoji are in the font twice; as SVG they are four fifths of it, and Chromium uses the others. */
function withoutTable(font: Uint8Array, unwanted: string): Uint8Array {
  const view = new DataView(font.buffer, font.byteOffset, font.byteLength)
  const tables = Array.from({ length: view.getUint16(4) }, (_, index) => {
    const at = 12 + index * 16
    return {
      head: font.subarray(at, at + 8),
      tag: String.fromCharCode(...font.subarray(at, at + 4)),
      offset: view.getUint32(at + 8),
      length: view.getUint32(at + 12),
    }
  }).filter(({ tag }) => tag !== unwanted)
  const padded = (length: number) => (length + 3) & ~3
  const start = 12 + tables.length * 16
  const made = new Uint8Array(start + tables.reduce((sum, { length }) => sum + padded(length), 0))
  const out = new DataView(made.buffer)
  made.set(font.subarray(0, 4))
  const power = Math.floor(Math.log2(tables.length))
  out.setUint16(4, tables.length)
  out.setUint16(6, 16 * 2 ** power)
  out.setUint16(8, power)
  out.setUint16(10, 16 * (tables.length - 2 ** power))
  let offset = start
  for (const [index, table] of tables.entries()) {
    const at = 12 + index * 16
    made.set(table.head, at)
    out.setUint32(at + 8, offset)
    out.setUint32(at + 12, table.length)
    made.set(font.subarray(table.offset, table.offset + table.length), offset)
    offset += padded(table.length)
  }
  return made
}

/** Fonts as wide as those that most people have, so that a page breaks its lines as on their screens. */
const ALIASES: [name: string, family: string][] = [
  ...['sans-serif', 'system-ui', 'ui-sans-serif', 'Arial', 'Helvetica', 'Helvetica Neue'].map(
    (name): [string, string] => [name, 'Arimo'],
  ),
  ...['serif', 'ui-serif', 'Times New Roman', 'Times'].map((name): [string, string] => [name, 'Tinos']),
]

/** The machine's own fonts come after these; `relative` is relative to this file. */
const SETTINGS = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd">
<fontconfig>
  <dir prefix="relative">.</dir>
  ${ALIASES.map(
    ([name, family]) =>
      `<alias binding="strong"><family>${name}</family><prefer><family>${family}</family></prefer></alias>`,
  ).join('\n  ')}
  <alias binding="strong"><family>emoji</family><prefer><family>Noto Color Emoji</family></prefer></alias>
  <cachedir prefix="xdg">fontconfig</cachedir>
  <include ignore_missing="yes">/etc/fonts/fonts.conf</include>
</fontconfig>
`

/** Writes the fonts and their settings into the folder; returns a file of each package, for their licences. */
export async function buildFonts(outDir: string): Promise<{ moduleIds: string[] }> {
  mkdirSync(outDir, { recursive: true })
  const moduleIds: string[] = []
  const packages = [
    ...SCRIPTS.map((script) => ({ name: `@fontsource-variable/noto-sans-${script}`, wanted: /-wght-normal\.woff2$/ })),
    { name: '@fontsource/noto-color-emoji', wanted: /-emoji-400-normal\.woff2$/ },
  ]
  for (const { name, wanted } of packages) {
    const folder = join(folderOf(name), 'files')
    moduleIds.push(folder)
    for (const file of readdirSync(folder)) {
      if (!wanted.test(file) || LATIN.test(file)) continue
      const font = await decompress(readFileSync(join(folder, file)))
      writeFileSync(join(outDir, file.replace(/\.woff2$/, '.ttf')), withoutTable(font, 'SVG '))
    }
  }
  for (const family of ['Arimo', 'Tinos']) {
    const folder = folderOf(`@expo-google-fonts/${family.toLowerCase()}`)
    moduleIds.push(join(folder, 'index.js'))
    for (const style of LATIN_STYLES)
      copyFileSync(join(folder, style, `${family}_${style}.ttf`), join(outDir, `${family}-${style}.ttf`))
  }
  writeFileSync(join(outDir, 'fonts.conf'), SETTINGS)
  return { moduleIds }
}
