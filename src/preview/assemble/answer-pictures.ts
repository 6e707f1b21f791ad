import type { CodeFile } from '../extract/code-file.ts'
import { findFile } from './find-file.ts'
import type { HtmlTag } from './read-html.ts'
import { writeTag, type Replacement } from './write-html.ts'

/** The address of a picture with itself inside. Nothing in it can end an attribute, a string, a `url()` or a script. */
export function pictureUrl({ code }: Pick<CodeFile, 'code'>): string {
  const text = encodeURIComponent(code.trim().toWellFormed())
  return `data:image/svg+xml,${text.replace(/['()]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`)}`
}

function findPicture(files: CodeFile[], address: string, from: string): string | undefined {
  if (/^\s*(?:[a-z][\w+.-]*:|\/\/)/i.test(address)) return undefined
  const [, path = '', fragment = ''] = /^\s*([^?#]*\.svg)(?:\?[^#]*)?(#[\w-]*)?\s*$/i.exec(address) ?? []
  const pictures = files.filter(({ kind }) => kind === 'svg')
  const unnamed = pictures.filter(({ isNamed }) => !isNamed)
  const found =
    path === '' ? undefined : (findFile(pictures, path, from) ?? (unnamed.length === 1 ? unnamed[0] : undefined))
  return found && pictureUrl(found) + fragment
}

/** Puts the answer's pictures into the `url()`s of a style sheet, or of styles in a script. */
export function inlineStylePictures(css: string, files: CodeFile[], from: string): string {
  return css.replace(
    /(\burl\(\s*(["']?))([^"'()\s]+)(\2\s*\))/gi,
    (whole, before: string, _quote: string, address: string, after: string) => {
      const url = findPicture(files, address, from)
      return url === undefined ? whole : before + url + after
    },
  )
}

/** Where a script has the address of a picture, and not its name in a text: `src: "a.svg"`, `logo = "a.svg"`, `"src", "a.svg"`. */
const ADDRESS =
  /((?:src|poster|image|img|icon|logo|avatar|photo|picture|thumbnail|cover|background)(?:["']?\s*[:=]|["']\s*,)\s*(["'`]))([^"'`\\\s]+\.svg(?:[?#][^"'`\\\s]*)?)(\2)/gi

/** Puts the answer's pictures into a script that sets their addresses. */
export function inlinePictures(code: string, files: CodeFile[], from: string): string {
  return inlineStylePictures(code, files, from).replace(
    ADDRESS,
    (whole, before: string, _quote: string, address: string, after: string) => {
      const url = findPicture(files, address, from)
      return url === undefined ? whole : before + url + after
    },
  )
}

function inlineCandidates(candidates: string, files: CodeFile[], from: string): string {
  return candidates
    .split(/,\s+/)
    .map((candidate) => candidate.trim().replace(/^\S+/, (address) => findPicture(files, address, from) ?? address))
    .join(', ')
}

/** Frames and objects are forbidden in a preview, so a picture in one becomes an image; what an object has instead is left out. */
function replaceFrame(tag: HtmlTag, html: string, url: string): Replacement {
  const { name, attributes, start, end } = tag
  const [closing = ''] = name === 'object' ? (/^[\s\S]*?<\/object\s*>/i.exec(html.slice(end)) ?? []) : []
  const kept = [...attributes].filter(([key]) => !['data', 'src', 'type'].includes(key))
  return { start, end: end + closing.length, text: writeTag('img', [['src', url], ...kept]) }
}

/** Writes a tag anew if it shows a picture of the answer. */
export function showPicture(tag: HtmlTag, html: string, files: CodeFile[], from: string): Replacement | undefined {
  const { name, attributes, start, end } = tag
  if (name === 'object' || name === 'embed' || name === 'iframe') {
    const url = findPicture(files, attributes.get(name === 'object' ? 'data' : 'src') ?? '', from)
    return url === undefined ? undefined : replaceFrame(tag, html, url)
  }
  const addressed = name === 'image' || name === 'feimage' ? ['href', 'xlink:href'] : ['src', 'poster']
  const written = [...attributes].map(([key, value]): [string, string] => {
    if (key === 'style') return [key, inlineStylePictures(value, files, from)]
    if (key === 'srcset') return [key, inlineCandidates(value, files, from)]
    return [key, addressed.includes(key) ? (findPicture(files, value, from) ?? value) : value]
  })
  if (written.every(([key, value]) => attributes.get(key) === value)) return undefined
  const text = writeTag(name, written)
  return { start, end, text: html.slice(start, end).endsWith('/>') ? text.replace(/>$/, '/>') : text }
}
