import type { CodeFile } from '../extract/code-file.ts'
import { findFile } from './find-file.ts'
import type { AssemblyReport } from './link-modules.ts'
import { readHtml } from './read-html.ts'
import { createBlockedList, isRemote } from './remote-addresses.ts'
import { applyReplacements, inlineScript, insertFirst, type Replacement } from './write-html.ts'
import { compilers } from './compilers.ts'
import { compileGlobalScript } from './compile-script.ts'

/** The other pages of the answer to which pages link, directly or through each other. */
function findLinked(entry: CodeFile, files: CodeFile[]): CodeFile[] {
  const pages = files.filter(({ kind, name }) => kind === 'html' && name !== entry.name)
  const found = new Set<CodeFile>()
  const queue = [entry]
  for (let page = queue.shift(); page; page = queue.shift()) {
    for (const { name, attributes } of readHtml(page.code).tags) {
      const href = name === 'a' || name === 'area' ? attributes.get('href') : undefined
      if (href === undefined || isRemote(href) || !/\.html?(?:[?#]|$)/i.test(href)) continue
      const linked = findFile(pages, href.replace(/[?#].*$/, ''), page.name)
      if (!linked || found.has(linked)) continue
      found.add(linked)
      queue.push(linked)
    }
  }
  return [...found]
}

/**
 * Makes top-level `const`, `let` and `class` into `var`: pages of one answer replace each other in one window, in which a name can be
 * declared only once.
 */
async function loosenScripts(html: string): Promise<string> {
  const { babelParse } = await compilers.vue()
  const replacements: Replacement[] = []
  for (const { name, attributes, text, end } of readHtml(html).tags) {
    if (name !== 'script' || attributes.has('src') || !/^(?:|text\/javascript)$/.test(attributes.get('type') ?? ''))
      continue
    const offset = end - '</script>'.length - text.length
    if (html.slice(offset, offset + text.length) !== text) continue
    try {
      for (const statement of babelParse(text, { sourceType: 'script' }).program.body) {
        const start = offset + (statement.start ?? 0)
        if (statement.type === 'VariableDeclaration' && statement.kind !== 'var')
          replacements.push({ start, end: start + statement.kind.length, text: 'var' })
        else if (statement.type === 'ClassDeclaration' && statement.id)
          replacements.push({ start, end: start, text: `var ${statement.id.name} = ` })
      }
    } catch {
      // The browser reports the error when the page runs.
    }
  }
  return applyReplacements(html, replacements)
}

interface Pages {
  entry: CodeFile
  files: CodeFile[]
  report: AssemblyReport
  /** Assembles one page. */
  write(page: CodeFile, report: AssemblyReport): Promise<string>
  addBootstrap(html: string): string
}

/** Assembles a page with all others of the answer to which it links; the bootstrap shows them when a link is followed. */
export async function gatherPages({ entry, files, report, write, addBootstrap }: Pages): Promise<string> {
  const linked = findLinked(entry, files)
  const html = await write(entry, report)
  if (linked.length === 0) return html
  const first = await loosenScripts(html)
  const pages: Record<string, string> = { [entry.name]: addBootstrap(first) }
  for (const page of linked) {
    // Their own notes would be about files that the first page uses.
    const own: AssemblyReport = { ...report, notes: new Set(), blocked: createBlockedList() }
    pages[page.name] = addBootstrap(await loosenScripts(await write(page, own)))
    for (const { url, use } of own.blocked.entries()) report.blocked.add(url, use)
  }
  report.notes.add(
    `The links to ${linked.map(({ name }) => name).join(', ')} work: ${linked.length === 1 ? 'it is' : 'they are'} part of the answer.`,
  )
  return insertFirst(first, inlineScript(`window.previewPages = ${JSON.stringify(pages).replaceAll('<', '\\u003c')}`))
}

/** What asks for a file while the page runs. */
const REQUESTS = /\bWorker\s*\(|\bfetch\s*\(|\bd3\.(?:json|csv|tsv|text|xml|svg)\s*\(/

function isRequested({ name }: CodeFile, files: CodeFile[]): boolean {
  const named = new RegExp(`["'\`/]${name.replace(/^.*\//, '').replace(/[^\w]/g, '\\$&')}["'\`?#]`)
  return files.some((other) => other.name !== name && REQUESTS.test(other.code) && named.test(other.code))
}

async function readForBrowser({ name, kind, code }: CodeFile): Promise<string> {
  if (kind !== 'ts') return code
  const compiled = await compileGlobalScript({ name, kind, code })
  return 'problem' in compiled ? code : compiled.code
}

/** Hands a page the files of its answer that it requests while it runs: a worker's script, data. The bootstrap serves them. */
export async function addRequestedFiles(html: string, files: CodeFile[]): Promise<string> {
  const texts: [string, string][] = []
  for (const file of files) if (isRequested(file, files)) texts.push([file.name, await readForBrowser(file)])
  if (texts.length === 0) return html
  const list = JSON.stringify(Object.fromEntries(texts)).replaceAll('<', '\\u003c')
  return insertFirst(html, inlineScript(`window.previewFiles = ${list}`))
}
