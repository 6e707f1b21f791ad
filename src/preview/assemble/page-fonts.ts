import type { CodeFile } from '../extract/code-file.ts'
import { fonts, fontVendor } from '../vendor/libraries.ts'

const FONT_SERVICE = /(?:https?:)?\/\/fonts\.(?:googleapis\.com|bunny\.net)\/css2?\?[^"'`)\s]+/g

/** The families that an address of Google Fonts or Bunny Fonts asks for. */
function readFamilies(url: string): string[] {
  const { searchParams } = new URL(url.replaceAll('&amp;', '&').replace(/^\/\//, 'https://'))
  return searchParams
    .getAll('family')
    .flatMap((family) => family.split('|'))
    .map((family) => family.replace(/:.*$/, '').replaceAll('+', ' ').trim())
}

/** True if all fonts of an address are here. */
export function areFontsHere(url: string): boolean {
  const isService = new RegExp(`^${FONT_SERVICE.source}$`).test(url.trim())
  return isService && readFamilies(url.trim()).every((family) => Object.hasOwn(fonts, family))
}

/** The included fonts that a page asks for. */
export function findFonts(files: readonly CodeFile[]): string[] {
  const families = files.flatMap(({ code }) => [...code.matchAll(FONT_SERVICE)].flatMap(([url]) => readFamilies(url)))
  return [...new Set(families)].filter((family) => Object.hasOwn(fonts, family)).map(fontVendor)
}
