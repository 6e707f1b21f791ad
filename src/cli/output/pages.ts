/** Long output for a reader who takes it in pages, such as a coding agent. */

/** Agents read all of a page: it must leave room for their own work. */
const PAGE_LENGTH = 20_000

/** Pages of whole lines; only a line longer than a page is split. */
export function splitPages(text: string, length = PAGE_LENGTH): string[] {
  const pages: string[] = []
  let rest = text
  while (rest.length > length) {
    const end = rest.lastIndexOf('\n', length)
    const cut = end > 0 ? end + 1 : isHighSurrogate(rest, length - 1) ? length - 1 : length
    pages.push(rest.slice(0, cut))
    rest = rest.slice(cut)
  }
  return [...pages, rest]
}

/** Half a character would be a broken one. */
function isHighSurrogate(text: string, index: number): boolean {
  const code = text.charCodeAt(index)
  return code >= 0xd8_00 && code <= 0xdb_ff
}
