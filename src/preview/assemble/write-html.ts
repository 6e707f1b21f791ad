import { readHtml } from './read-html.ts'

export interface Replacement {
  start: number
  end: number
  text: string
}

/** Applies replacements that do not overlap. */
export function applyReplacements(html: string, replacements: Replacement[]): string {
  let result = ''
  let position = 0
  for (const { start, end, text } of replacements.toSorted((a, b) => a.start - b.start)) {
    result += html.slice(position, start) + text
    position = end
  }
  return result + html.slice(position)
}

function insertAt(html: string, offset: number, markup: string): string {
  return markup === '' ? html : `${html.slice(0, offset)}${markup}${html.slice(offset)}`
}

/** Puts markup before everything of the page's own. */
export function insertFirst(html: string, markup: string): string {
  return insertAt(html, readHtml(html).headStart, markup)
}

/** Puts markup at the end of the head, or where the head would be. */
export function insertInHead(html: string, markup: string): string {
  return insertAt(html, readHtml(html).headEnd, markup === '' ? '' : `${markup}\n`)
}

/** Puts markup at the end of the body. */
export function appendToBody(html: string, markup: string): string {
  const { bodyEnd } = readHtml(html)
  return insertAt(html, bodyEnd, markup === '' ? '' : bodyEnd === html.length ? `\n${markup}` : `${markup}\n`)
}

function escapeAttribute(value: string): string {
  return value.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')
}

export function writeTag(name: string, attributes: Iterable<[string, string]>): string {
  const written = [...attributes].map(([key, value]) =>
    value === '' ? ` ${key}` : ` ${key}="${escapeAttribute(value)}"`,
  )
  return `<${name}${written.join('')}>`
}

/** Writes an inline script whose text cannot end it early. */
export function inlineScript(code: string): string {
  return `<script>\n${code.replace(/<\/(script)/gi, '<\\/$1').replaceAll('<!--', '<\\!--')}\n</script>`
}

export function inlineStyle(css: string, type?: string): string {
  return `<style${type === undefined ? '' : ` type="${type}"`}>\n${css.replace(/<\/(style)/gi, '<\\/$1')}\n</style>`
}
