import { posix } from 'node:path'
import { Marked, type Token, type Tokens } from 'marked'

export interface Heading {
  depth: number
  id: string
  text: string
}

/** The text below a heading, for the search. */
interface Section {
  id: string
  heading: string
  text: string
}

export interface RenderedPage {
  title: string
  html: string
  headings: Heading[]
  sections: Section[]
  /** Links to pages of the site, as `path.html#anchor` from the site's root; a test follows each. */
  links: string[]
}

export interface RenderOptions {
  /** The source's path from docs/, such as `decisions/0001-scoring-threads.md`. */
  path: string
  /** Sizes of the pictures by their path from docs/. */
  pictures: ReadonlyMap<string, { width: number; height: number }>
  /** Titles of pages by their path from docs/. */
  titles: ReadonlyMap<string, string>
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

export function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => ENTITIES[character]!)
}

/** The anchor that GitHub gives a heading, so that links work there and here. */
function slugOf(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(/\s/g, '-')
}

/** Where a source is on the site: `judges.md` is `judges.html`, a folder its index. */
export function pageAddress(path: string): string {
  return path.endsWith('.md') ? path.replace(/\.md$/, '.html') : posix.join(path, 'index.html')
}

function isParent(token: Token): token is Token & { tokens: Token[] } {
  return 'tokens' in token && Array.isArray(token.tokens)
}

/** The words of tokens, without markup. */
function plainText(tokens: readonly Token[]): string {
  return tokens
    .map((token) => {
      if (token.type === 'table') {
        const { header, rows } = token as Tokens.Table
        return [header, ...rows].map((cells) => cells.map((cell) => plainText(cell.tokens)).join(' ')).join(' ')
      }
      if (token.type === 'list') return (token as Tokens.List).items.map((item) => plainText(item.tokens)).join(' ')
      if (token.type === 'html') return ''
      if (isParent(token)) return plainText(token.tokens)
      return 'text' in token && typeof token.text === 'string' ? token.text : ' '
    })
    .join(tokens.some(({ type }) => type === 'paragraph' || type === 'list') ? ' ' : '')
}

/**
 * One Markdown page as HTML. Raw HTML is shown, not obeyed; links to pages lead to the site's; links to sources become
 * code, because the site has none of them.
 */
export function renderMarkdown(markdown: string, { path, pictures, titles }: RenderOptions): RenderedPage {
  const headings: Heading[] = []
  const sections: Section[] = []
  const links: string[] = []
  const used = new Map<string, number>()
  const ids = new Map<Token, string>()
  const folder = posix.dirname(path)
  const toRoot = folder === '.' ? '' : '../'.repeat(folder.split('/').length)

  const idOf = (text: string): string => {
    const slug = slugOf(text)
    const count = used.get(slug) ?? 0
    used.set(slug, count + 1)
    return count === 0 ? slug : `${slug}-${count}`
  }

  /** The address of a link on the site; absent if it leads to a file that the site does not have. */
  const siteLink = (href: string): string | undefined => {
    const [file = '', anchor] = href.split('#')
    const target = file === '' ? path : posix.join(folder, file)
    if (target.startsWith('..') || (/\.\w+$/.test(target) && !target.endsWith('.md'))) return undefined
    return pageAddress(target) + (anchor === undefined ? '' : `#${anchor}`)
  }

  const marked = new Marked({
    gfm: true,
    renderer: {
      html: ({ text }) => (/^\s*<!--/.test(text) ? '' : escapeHtml(text)),
      heading(token) {
        const { tokens, depth } = token
        const id = ids.get(token) ?? idOf(plainText(tokens))
        const link = depth === 1 ? '' : `<a class="anchor" href="#${id}" aria-label="Link to this section">#</a>`
        return `<h${depth} id="${id}">${this.parser.parseInline(tokens)}${link}</h${depth}>\n`
      },
      code: ({ text, lang }) =>
        `<pre tabindex="0"${lang ? ` data-language="${escapeHtml(lang)}"` : ''}><code>${escapeHtml(text)}</code></pre>\n`,
      table({ header, rows }) {
        const row = (cells: Tokens.TableCell[]) =>
          `<tr>${cells
            .map(({ tokens, align, header: isHeader }) => {
              const name = isHeader ? 'th' : 'td'
              return `<${name}${align ? ` class="${align}"` : ''}>${this.parser.parseInline(tokens)}</${name}>`
            })
            .join('')}</tr>`
        return `<div class="table" tabindex="0" role="region" aria-label="Table"><table><thead>${row(header)}</thead><tbody>${rows.map(row).join('\n')}</tbody></table></div>\n`
      },
      link({ href, tokens }) {
        const content = this.parser.parseInline(tokens)
        if (/^https?:\/\//.test(href)) return `<a href="${escapeHtml(href)}" rel="noreferrer">${content}</a>`
        const target = /^[a-z]+:/i.test(href) ? undefined : siteLink(href)
        if (target === undefined) return content.startsWith('<code>') ? content : `<code>${content}</code>`
        links.push(target)
        return `<a href="${escapeHtml(href.startsWith('#') ? href : toRoot + target)}">${content}</a>`
      },
      image({ href, text }) {
        const file = posix.join(folder, href)
        const size = pictures.get(file)
        if (!size) throw new Error(`${path}: the picture ${href} is not in docs/`)
        return `<img src="${escapeHtml(toRoot + file)}" alt="${escapeHtml(text)}" width="${size.width}" height="${size.height}" loading="lazy">`
      },
    },
  })

  const tokens = marked.lexer(markdown)
  // A link such as [judges.md](judges.md) names a file, which readers of the site do not see.
  marked.walkTokens(tokens, (token) => {
    if (token.type !== 'link' || !/^[\w/.-]+\.md$/.test(token.text)) return
    const text = titles.get(posix.join(folder, token['href'].split('#')[0]))
    if (text !== undefined) token['tokens'] = [{ type: 'text', raw: text, text, escaped: false }]
  })
  for (const token of tokens) {
    if (token.type === 'heading') {
      const { depth, tokens: inner } = token as Tokens.Heading
      const text = plainText(inner)
      const id = idOf(text)
      ids.set(token, id)
      headings.push({ depth, id, text })
      sections.push({ id, heading: text, text: '' })
    } else {
      const section = sections.at(-1)
      if (section) section.text = `${section.text} ${plainText([token])}`.trim()
    }
  }
  const title = headings.find(({ depth }) => depth === 1)?.text
  if (title === undefined) throw new Error(`${path}: has no title (a line that starts with "# ")`)
  return { title, html: marked.parser(tokens), headings, sections: sections.map(tidySection), links }
}

function tidySection(section: Section): Section {
  return { ...section, text: section.text.replaceAll(/\s+/g, ' ') }
}
