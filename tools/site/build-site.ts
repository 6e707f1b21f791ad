/** Builds the documentation of docs/ and the generated reference into one folder that works offline, also from a disk. */
import { copyFileSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { build, type RolldownOutput } from 'rolldown'
import { layOut, type SidebarGroup } from './layout.ts'
import { pageAddress, renderMarkdown, type RenderedPage } from './markdown.ts'
import { folderTitles, readGroups } from './order.ts'
import { writeSearchIndex } from './search-index.ts'

/** A page that is not a file of docs/, such as the reference. */
export interface GeneratedPage {
  /** As if it were in docs/, such as `reference/commands.md`. */
  path: string
  markdown: string
  summary: string
}

interface SitePage extends RenderedPage {
  path: string
  address: string
}

export interface Site {
  pages: SitePage[]
  sidebar: SidebarGroup[]
  /** Pages of docs/ that docs/README.md does not list. */
  unplaced: string[]
  /** Of the browser's script, for the licences. */
  moduleIds: string[]
}

export interface SiteOptions {
  root: string
  output: string
  reference: readonly GeneratedPage[]
}

const REFERENCE_TITLE = 'Reference'

/** Width and height are at a fixed place of a PNG. */
function readPictureSize(file: string): { width: number; height: number } {
  const bytes = readFileSync(file)
  if (bytes.toString('latin1', 12, 16) !== 'IHDR') throw new Error(`${file} is not a PNG picture`)
  return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) }
}

function readPictures(docs: string): Map<string, { width: number; height: number }> {
  const files = globSync('images/**/*.png', { cwd: docs }).sort()
  return new Map(files.map((file) => [file, readPictureSize(join(docs, file))]))
}

/** A folder of docs/ has a page that lists its pages, because links lead to folders too. */
function writeFolderIndex(title: string, pages: readonly SitePage[]): string {
  return `# ${title}\n\n${pages.map((page) => `- [${page.title}](${page.path.split('/').at(-1)})`).join('\n')}\n`
}

function writeStart(root: string, pages: ReadonlyMap<string, SitePage>, reference: readonly GeneratedPage[]): string {
  const [, introduction = ''] = /^# .*\n\n([^]*?)\n\n/.exec(readFileSync(join(root, 'README.md'), 'utf8')) ?? []
  const list = (title: string, entries: readonly { path: string; summary: string }[]) => {
    const lines = entries.flatMap(({ path, summary }) => {
      const page = pages.get(path)
      return page ? [`- [${page.title}](${path}): ${summary}`] : []
    })
    return lines.length === 0 ? '' : `## ${title}\n\n${lines.join('\n')}\n`
  }
  return [
    '# Benchmaker',
    introduction,
    '![Results: a summary in words, and the leaderboard with intervals](images/results.png)',
    ...(pages.has('tutorial.md') ? ['New here? The [tutorial](tutorial.md) takes five minutes and needs no key.'] : []),
    ...readGroups(root).map(({ title, pages: placed }) =>
      list(
        title,
        placed.map(({ name, summary }) => ({ path: `${name}.md`, summary })),
      ),
    ),
    list(REFERENCE_TITLE, reference),
  ].join('\n\n')
}

/** Every page, its place in the sidebar, and what has none. Nothing is written. */
export function planSite({ root, reference }: Omit<SiteOptions, 'output'>): Omit<Site, 'moduleIds'> {
  const docs = join(root, 'docs')
  const pictures = readPictures(docs)
  // Its list is the sidebar.
  const files = globSync('**/*.md', { cwd: docs })
    .filter((path) => path !== 'README.md')
    .sort()
  const sources = [
    ...files.map((path) => ({ path, markdown: readFileSync(join(docs, path), 'utf8') })),
    ...reference.map(({ path, markdown }) => ({ path, markdown })),
  ]
  const titles = new Map(sources.map(({ path, markdown }) => [path, /^# (.*)$/m.exec(markdown)?.[1] ?? path]))
  const render = (path: string, markdown: string): SitePage => ({
    path,
    address: pageAddress(path),
    ...renderMarkdown(markdown, { path, pictures, titles }),
  })
  const pages = new Map(sources.map(({ path, markdown }) => [path, render(path, markdown)]))

  const link = ({ address, title }: SitePage) => ({ address, title })
  const find = (paths: readonly string[]) => paths.flatMap((path) => pages.get(path) ?? [])
  const sidebar: SidebarGroup[] = readGroups(root).map(({ title, pages: placed }) => ({
    title,
    pages: find(placed.map(({ name }) => `${name}.md`)).map(link),
  }))
  sidebar.push({ title: REFERENCE_TITLE, pages: find(reference.map(({ path }) => path)).map(link) })
  for (const [folder, title] of Object.entries(folderTitles)) {
    const inside = find(files.filter((path) => dirname(path) === folder))
    const path = `${folder}/index.md`
    pages.set(path, render(path, writeFolderIndex(title, inside)))
    sidebar.push({ title, isFolded: true, pages: inside.map(link) })
  }
  const placed = new Set(sidebar.flatMap((group) => group.pages.map(({ address }) => address)))
  const unplaced = find(files).filter(({ address }) => !placed.has(address))
  sidebar.push({ title: 'More', pages: unplaced.map(link) })

  const start = render('index.md', writeStart(root, pages, reference))
  return {
    pages: [start, ...pages.values()],
    sidebar: sidebar.filter((group) => group.pages.length > 0),
    unplaced: unplaced.map(({ path }) => path),
  }
}

/** The app's own colours, so that Help looks like the app. */
function readColours(root: string): string {
  const style = readFileSync(join(root, 'src/components/style.css'), 'utf8')
  const blocks = [/^:root \{[^}]*\}/m, /^\[data-theme='light'\] \{[^}]*\}/m, /^\[data-theme='dark'\] \{[^}]*\}/m]
  return blocks
    .map((pattern) => {
      const found = pattern.exec(style)?.[0]
      if (found === undefined) throw new Error(`src/components/style.css has no block ${pattern.source}`)
      return found
    })
    .join('\n')
}

async function bundleScript(output: string): Promise<string[]> {
  const bundled: RolldownOutput = await build({
    input: join(import.meta.dirname, 'in-page/site.ts'),
    platform: 'browser',
    output: { file: join(output, 'site.js'), format: 'iife', minify: true, comments: false },
  })
  return bundled.output.flatMap((item) => ('moduleIds' in item ? item.moduleIds : []))
}

const FONTS = ['inter-latin-wght-normal.woff2', 'inter-latin-ext-wght-normal.woff2']

function copyAssets(root: string, output: string): void {
  const style = readFileSync(join(import.meta.dirname, 'style.css'), 'utf8')
  writeFileSync(join(output, 'style.css'), `${readColours(root)}\n${style}`)
  copyFileSync(join(import.meta.dirname, 'theme.js'), join(output, 'theme.js'))
  copyFileSync(join(root, 'src/components/icon.svg'), join(output, 'icon.svg'))
  mkdirSync(join(output, 'images'), { recursive: true })
  for (const file of readPictures(join(root, 'docs')).keys()) copyFileSync(join(root, 'docs', file), join(output, file))
  mkdirSync(join(output, 'fonts'), { recursive: true })
  for (const font of FONTS)
    copyFileSync(join(root, 'node_modules/@fontsource-variable/inter/files', font), join(output, 'fonts', font))
}

export async function buildSite(options: SiteOptions): Promise<Site> {
  const { root, output } = options
  const site = planSite(options)
  mkdirSync(output, { recursive: true })
  for (const page of site.pages) {
    const file = join(output, page.address)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, layOut(page, site.sidebar))
  }
  writeFileSync(join(output, 'search-index.js'), writeSearchIndex(site.pages))
  copyAssets(root, output)
  return { ...site, moduleIds: await bundleScript(output) }
}
