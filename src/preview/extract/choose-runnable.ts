import type { CodeFile, Runnable } from './code-file.ts'
import { nameLanguage, stripText } from './recognise-language.ts'

const BACKEND =
  /(?:\brequire\(\s*|\bfrom\s+|^\s*import\s+)['"](?:node:[\w/]+|fs|path|http|https|os|net|child_process|express|koa|fastify|mongoose|pg|mysql2?|sqlite3|better-sqlite3|dotenv|cors|next\/server|@prisma\/client)['"]|\bprocess\.argv\b|\bapp\.listen\(/m
const MOUNTS_SVELTE = /(?<![.\w])mount\s*\(\s*\w+\s*,\s*\{/
const MOUNTS_REACT = /\bcreateRoot\s*\(|\bReactDOM\s*\.\s*(?:render|hydrate|createRoot)\s*\(|\bhydrateRoot\s*\(/
const MOUNTS_VUE = /\bcreateApp\s*\([\s\S]*\.mount\s*\(/
const CONFIG_NAME =
  /(?:^|\/)(?:vite|tailwind|postcss|next|webpack|eslint|jest|vitest|babel|svelte|nuxt|tsup|rollup)\.config\.\w+$|(?:^|\/)(?:next-env|vite-env|env)\.d\.ts$|\.(?:test|spec|stories|d)\.\w+$/
const COMPONENT =
  /(?:^|\n)\s*(?:export\s+(?:default\s+)?)?(?:async\s+)?(?:function|class)\s+[A-Z]\w*|(?:^|\n)\s*(?:export\s+)?const\s+[A-Z]\w*\s*(?::[^=\n]+)?=|export\s+default\b/

function isBackend({ kind, code }: CodeFile): boolean {
  return ['js', 'ts'].includes(kind) && BACKEND.test(code) && !/\bdocument\./.test(stripText(code))
}

function isAngular({ code }: CodeFile): boolean {
  return /from\s+['"]@angular\//.test(code)
}

/** Returns true if a file can be part of the page: tool settings, tests and server code cannot. */
export function belongsToPage(file: CodeFile): boolean {
  return !CONFIG_NAME.test(file.name) && !isBackend(file) && !isAngular(file)
}

function isWholePage({ code }: CodeFile): boolean {
  return /<(?:html|body)\b|<!doctype\s+html/i.test(code)
}

/** Returns true for a page without visible content, such as `<div id="root">` into which an app mounts. */
function isShell({ code }: CodeFile): boolean {
  const body = code
    .replace(/<!--[\s\S]*?-->/g, '')
    .replace(/<(head|script|style|noscript|title)\b[\s\S]*?<\/\1\s*>/gi, '')
    .replace(/<!doctype[^>]*>|<\/?(?:html|body|link|meta)\b[^>]*>/gi, '')
  return /^(?:\s*<(?:div|main|section)\b[^>]*\bid=[^>]*>\s*(?:Loading[^<]*)?<\/(?:div|main|section)>\s*)*$/i.test(body)
}

const NAMES_OF_ENTRIES = /(?:^|\/)(?:main|index|client|entry|bootstrap)\.\w+$/i
const NAMES_OF_APPS = /(?:^|\/)(?:App|app|\+?page|Page|Home|Main|index)\.\w+$/

/** What surrounds pages: Next.js, SvelteKit. */
const LAYOUT = /(?:^|\/)(?:\+?layout|_app|_document|loading|error|not-found|template)\.\w+$/

function isImportedBy(file: CodeFile, others: CodeFile[]): boolean {
  const stem = file.name.replace(/^.*\//, '').replace(/\.\w+$/, '')
  const imported = new RegExp(
    `(?:from|import|require\\()\\s*\\(?['"][^'"]*\\b${stem.replace(/[^\w]/g, '\\$&')}(?:\\.\\w+)?['"]`,
  )
  return others.some((other) => other !== file && imported.test(other.code))
}

/** Markup alone that shows how to use a component of the answer, with nothing in it that would have to be defined. */
function isUsage({ kind, code }: CodeFile, files: CodeFile[]): boolean {
  const [, component] = /^\s*<([A-Z]\w*)\b/.exec(code) ?? []
  if ((kind !== 'jsx' && kind !== 'tsx') || component === undefined || /\{\s*(?!true|false|null)[A-Za-z_$]/.test(code))
    return false
  return files.some((file) => new RegExp(`\\bexport\\b[^\\n]*\\b${component}\\b`).test(file.code))
}

function longest(files: CodeFile[]): CodeFile | undefined {
  return files.toSorted((a, b) => b.code.length - a.code.length)[0]
}

/** Chooses the file a project starts from: one that mounts itself, or else the component that no other imports. */
function chooseProjectEntry(files: CodeFile[], mounts: RegExp): CodeFile | undefined {
  const mounting = files.filter(({ code }) => mounts.test(stripText(code)))
  const mounted = mounting.find(({ name }) => NAMES_OF_ENTRIES.test(name)) ?? mounting.at(-1)
  if (mounted) return mounted
  const usage = files.find((file) => isUsage(file, files))
  if (usage) return usage
  const components = files.filter(({ kind, code }) => kind === 'vue' || kind === 'svelte' || COMPONENT.test(code))
  const roots = components.filter((file) => !isImportedBy(file, files) && !LAYOUT.test(file.name))
  const candidates = roots.length > 0 ? roots : components
  const [app] = candidates
    .filter(({ name, isNamed }) => isNamed && NAMES_OF_APPS.test(name))
    .toSorted((a, b) => a.name.split('/').length - b.name.split('/').length)
  return app ?? longest(candidates)
}

/** Returns true for a page that another one links to: it opens when the link is followed. */
function isLinked({ name, isNamed }: CodeFile, pages: CodeFile[]): boolean {
  const file = name.replace(/^.*\//, '').replace(/[^\w]/g, '\\$&')
  return isNamed && pages.some((page) => page.name !== name && new RegExp(`href=["'][^"']*${file}`).test(page.code))
}

function chooseHtml(pages: CodeFile[], notes: string[]): CodeFile | undefined {
  const index = pages.find(({ name, isNamed }) => isNamed && /(?:^|\/)index\.html?$/i.test(name))
  const whole = pages.filter(isWholePage)
  // A model that writes a page twice corrects or completes it the second time.
  const chosen = index ?? whole.at(-1) ?? longest(pages)
  const others = whole.filter((page) => page !== chosen && !isLinked(page, pages))
  if (others.length > 0)
    notes.push(
      `The answer contains ${whole.length} complete pages; ${chosen!.name} is shown, not ${others.map(({ name }) => name).join(', ')}.`,
    )
  return chosen
}

/** Says in a sentence why there is nothing to run. */
function explainNothing(files: CodeFile[], answer: string): string {
  if (files.some(({ kind }) => kind === 'diff'))
    return 'The answer is a diff against files it does not contain, so there is no complete page to run.'
  const backend = files.find(isBackend)
  if (backend) return `${backend.name} is code for a server (Node.js); the answer has nothing that a browser can show.`
  if (files.some(({ kind }) => kind === 'css'))
    return 'The answer contains only style sheets: there is no page to style.'
  if (files.some(isAngular))
    return 'The answer is an Angular component; React, Vue, Svelte and plain HTML run here, Angular does not.'
  const languages = new Set(files.flatMap(({ language }) => nameLanguage(language) ?? []))
  if (languages.size > 0)
    return `The answer contains only ${[...languages].join(' and ')}, which a browser does not run.`
  if (files.length > 0)
    return 'The code in the answer is not HTML, CSS, JavaScript, React, Vue, Svelte or SVG, so it cannot be shown.'
  return answer.trim() === '' ? 'The answer is empty.' : 'There is no code in the answer.'
}

/** Chooses what runs, or says why nothing does. Adds to `notes` what was left out. */
export function chooseRunnable(
  all: CodeFile[],
  answer: string,
  notes: string[],
): { runs: Runnable } | { problem: string; isUnsupported?: boolean } {
  const files = all.filter(belongsToPage)
  const of = (...kinds: CodeFile['kind'][]): CodeFile[] => files.filter(({ kind }) => kinds.includes(kind))
  const page = chooseHtml(of('html'), notes)
  const scripts = of('js', 'ts', 'jsx', 'tsx')

  const svelteParts = of('svelte')
  const svelteEntry =
    svelteParts.length > 0 ? chooseProjectEntry([...svelteParts, ...scripts], MOUNTS_SVELTE) : undefined
  const vueParts = of('vue')
  const vueEntry = vueParts.length > 0 ? chooseProjectEntry([...vueParts, ...scripts], MOUNTS_VUE) : undefined
  const hasMarkupScripts = of('jsx', 'tsx').length > 0
  const reactEntry = hasMarkupScripts ? chooseProjectEntry(scripts, MOUNTS_REACT) : undefined
  const project: Runnable | undefined = vueEntry
    ? { kind: 'vue', entry: vueEntry.name }
    : svelteEntry
      ? { kind: 'svelte', entry: svelteEntry.name }
      : reactEntry && { kind: 'react', entry: reactEntry.name }

  if (page && !(project && isShell(page))) {
    // A few lines of HTML beside a component show how to embed it; a whole page beside a few lines of JSX is the page.
    const isAside = project && ((!isWholePage(page) && page.code.length < 600) || svelteEntry !== undefined)
    if (!isAside) return { runs: { kind: 'html', entry: page.name } }
  }
  if (project) return { runs: { ...project, ...(page && isWholePage(page) && { shell: page.name }) } }
  const script = longest(of('js', 'ts'))
  if (script) return { runs: { kind: 'script', entry: script.name } }
  const image = longest(of('svg'))
  if (image) return { runs: { kind: 'svg', entry: image.name } }
  return { problem: explainNothing(all, answer), ...(all.some(isAngular) && { isUnsupported: true }) }
}
