/** One element's opening tag, with the raw text of a script or style behind it. */
export interface HtmlTag {
  name: string
  /** By lower-case name; an attribute without a value is the empty string. */
  attributes: Map<string, string>
  start: number
  /** Behind the opening tag. */
  openEnd: number
  /** For `script`, `style` and the like: the text inside; empty for others. */
  text: string
  /** Behind the closing tag where there is raw text, else behind the opening tag. */
  end: number
  /** False for a script or style whose closing tag has not come. */
  isClosed: boolean
}

const RAW_TEXT = new Set(['script', 'style', 'textarea', 'title', 'xmp', 'noscript'])

const ENTITIES = new Map([
  ['&amp;', '&'],
  ['&quot;', '"'],
  ['&#39;', "'"],
  ['&lt;', '<'],
  ['&gt;', '>'],
])

function readAttributes(text: string): Map<string, string> {
  const attributes = new Map<string, string>()
  for (const [, name = '', double, single, bare] of text.matchAll(
    /([^\s"'<>/=]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'=<>`]+)))?/g,
  )) {
    const value = (double ?? single ?? bare ?? '').replace(
      /&(?:amp|quot|#39|lt|gt);/g,
      (entity) => ENTITIES.get(entity) ?? entity,
    )
    if (!attributes.has(name.toLowerCase())) attributes.set(name.toLowerCase(), value)
  }
  return attributes
}

/** Every opening tag of a document, in order; comments are skipped, and what is inside scripts and styles is text. */
export function scanTags(html: string): HtmlTag[] {
  const tags: HtmlTag[] = []
  const pattern = /<!--[\s\S]*?(?:-->|$)|<([a-z][\w:-]*)((?:"[^"]*"|'[^']*'|[^>"'])*)>/gi
  for (let found = pattern.exec(html); found; found = pattern.exec(html)) {
    if (found[1] === undefined) continue
    const name = found[1].toLowerCase()
    const openEnd = pattern.lastIndex
    const tag: HtmlTag = {
      name,
      attributes: readAttributes(found[2]!),
      start: found.index,
      openEnd,
      text: '',
      end: openEnd,
      isClosed: true,
    }
    if (RAW_TEXT.has(name)) {
      const closing = new RegExp(`</${name}[\\s/]*>`, 'gi')
      closing.lastIndex = openEnd
      const close = closing.exec(html)
      tag.text = html.slice(openEnd, close?.index)
      tag.end = close ? closing.lastIndex : html.length
      tag.isClosed = close !== null
      pattern.lastIndex = tag.end
    }
    tags.push(tag)
  }
  return tags
}

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

function escapeAttribute(value: string): string {
  return value.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')
}

export function writeTag(name: string, attributes: Iterable<[string, string]>): string {
  const written = [...attributes].map(([key, value]) =>
    value === '' ? ` ${key}` : ` ${key}="${escapeAttribute(value)}"`,
  )
  return `<${name}${written.join('')}>`
}

/** An inline script whose text cannot end it early. */
export function inlineScript(code: string): string {
  return `<script>\n${code.replace(/<\/(script)/gi, '<\\/$1').replaceAll('<!--', '<\\!--')}\n</script>`
}

export function inlineStyle(css: string, type?: string): string {
  return `<style${type === undefined ? '' : ` type="${type}"`}>\n${css.replace(/<\/(style)/gi, '<\\/$1')}\n</style>`
}
