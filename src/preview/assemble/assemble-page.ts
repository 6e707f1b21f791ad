import { inlinePictures, inlineStylePictures } from './answer-pictures.ts'
import { inlineResources, vendorScript, type HtmlParts } from './assemble-html.ts'
import { belongsToPage } from '../extract/choose-runnable.ts'
import { readAliases } from './aliases.ts'
import type { CodeFile, ExtractedCode, Runnable } from '../extract/code-file.ts'
import { closeCutFile } from './cut-code.ts'
import { hasModuleSyntax, usesPreact, usesSolid } from './compile-script.ts'
import { compileStyles, isStyleSource } from './compile-styles.ts'
import { addRequestedFiles, gatherPages } from './linked-pages.ts'
import { linkModules, type AssemblyReport } from './link-modules.ts'
import { stripText } from '../extract/recognise-language.ts'
import { exportComponent } from './react-entry.ts'
import { findFonts } from './page-fonts.ts'
import { readHtml } from './read-html.ts'
import { cleanStyles, createBlockedList, isRemote, type BlockedUrl } from './remote-addresses.ts'
import {
  adaptOpacity,
  adaptTailwindSource,
  isTailwindSource,
  oldTailwindDefaults,
  usesTailwindClasses,
} from './tailwind-classes.ts'
import { writeShadcnTheme } from './shadcn-theme.ts'
import { withNeeded } from '../vendor/vendored-files.ts'
import { openPagePackages, type PagePackages, type WantedBundle } from '../packages/page-packages.ts'
import { appendToBody, applyReplacements, inlineScript, inlineStyle, insertFirst, insertInHead } from './write-html.ts'

/** A document that runs from the preview's own origin without a network. */
export interface AssembledPage {
  /** Always a complete document; if nothing can run, one that says why. */
  html: string
  /** True if `html` is the answer's page, false if it is a message instead. */
  runs: boolean
  /** The included libraries that it loads: `react`, `three`, `tailwind`. */
  usesVendor: string[]
  /** What it would load from the network and does not get. The page itself reports what its code requests while it runs. */
  blocked: BlockedUrl[]
  /** What the user should know about how the page was made. */
  notes: string[]
  /** Libraries that it asks for and that are not here, as sentences for the user. */
  missing: string[]
  /** What is wrong with the code itself: it does not compile, or imports something missing. */
  problems: string[]
  /** Packages that can be installed for it, by their names in the registry. */
  installable: string[]
  /** True if it is a page elsewhere, and only we cannot run it. */
  isUnsupported: boolean
  /** What it imports of installed packages and is not bundled yet: it has to be assembled again then. */
  wanted?: WantedBundle
}

function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
}

function writeMessage(sentences: string[]): string {
  const style =
    'body{font:14px/1.5 system-ui,sans-serif;margin:0;min-height:100vh;display:grid;place-items:center;color:#555;background:#fafafa}div{max-width:34rem;padding:1.5rem}'
  return wrapPage(
    `<style>${style}</style>`,
    `<div role="status">${sentences.map((sentence) => `<p>${escapeText(sentence)}</p>`).join('')}</div>`,
  )
}

function wrapPage(head: string, body: string): string {
  return `<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<meta name="viewport" content="width=device-width, initial-scale=1">\n<title>Preview</title>\n${head}\n</head>\n<body>\n${body}\n</body>\n</html>`
}

/** The bootstrap runs before anything of the page's own. */
function insertBootstrap(html: string): string {
  return insertFirst(html, vendorScript('bootstrap'))
}

/** Finds the ids of elements that code looks up to render into. */
function findContainers(code: string): string[] {
  const found = [
    ...code.matchAll(/(?:getElementById\(\s*['"]|querySelector\(\s*['"]#|\.mount\(\s*['"]#)([\w-]+)['"]/g),
  ].map(([, id]) => id!)
  return [...new Set(found)].slice(0, 20)
}

interface Assembly {
  files: CodeFile[]
  entry: CodeFile
  report: AssemblyReport
}

async function assembleProject(
  runnable: Runnable,
  { files, entry, report }: Assembly,
  shell: CodeFile | undefined,
): Promise<string | undefined> {
  const { vendors, notes } = report
  const isVue = runnable.kind === 'vue'
  const isSvelte = runnable.kind === 'svelte'
  const isSolid = !isVue && !isSvelte && files.some(({ code }) => usesSolid(code))
  const isPreact = !isVue && !isSvelte && !isSolid && files.some(({ code }) => usesPreact(code))
  const mountsItself =
    isVue || isSvelte
      ? entry.kind !== 'vue' && entry.kind !== 'svelte'
      : isPreact || isSolid
        ? /(?<![.\w])(?:render|hydrate)\s*\(/.test(entry.code)
        : /\bcreateRoot\s*\(|\bReactDOM\s*\.\s*\w+\s*\(|\bhydrateRoot\s*\(/.test(entry.code)
  const prepared = isVue || isSvelte || mountsItself ? entry : exportComponent(entry, files)
  vendors.add(isVue ? 'vue' : isSvelte ? 'svelte' : isPreact ? 'preact' : isSolid ? 'solid' : 'react')
  const linked = await linkModules(
    prepared,
    files.map((file) => (file === entry ? prepared : file)),
    report,
  )
  const layouts = isVue || isSvelte || mountsItself ? [] : findLayouts(entry, files)
  const linkedLayouts: string[] = []
  for (const layout of layouts) {
    const own = await linkModules(layout, files, report)
    if (!own) return undefined
    linkedLayouts.push(own.code)
  }
  if (!linked) return undefined

  const markup = files.map(({ code }) => code).join('\n')
  const styleSheets = files.flatMap(({ kind, code }) => (kind === 'css' ? [code] : [])).join('\n')
  if (
    !vendors.has('tailwind') &&
    (usesTailwindClasses(markup, styleSheets) || files.some(({ name }) => /tailwind\.config\./.test(name)))
  ) {
    vendors.add('tailwind')
    notes.add('The page uses Tailwind classes, so Tailwind was added.')
  }
  const config = files.find(({ name }) => /tailwind\.config\.\w+$/.test(name))
  const linkedConfig = config && vendors.has('tailwind') ? await linkModules(config, [], report) : undefined
  const isOldTailwind = vendors.has('tailwind') && !/@import\s+["']tailwindcss|@theme\b/.test(markup)
  const isOnServer = layouts.length > 0 || ASYNC_COMPONENT.test(markup)
  const finish = isSvelte
    ? 'previewModules.mountSvelte'
    : isPreact || isSolid
      ? `previewModules.mount${isSolid ? 'Solid' : 'Preact'}`
      : 'previewModules.mount'
  const mounting =
    layouts.length === 0
      ? finish
      : `function (exports) { ${finish}(exports, { layouts: ${JSON.stringify(layouts.map(({ name }) => name))} }) }`
  const start = [
    isVue || isSvelte || isPreact || isSolid ? '' : 'previewModules.exposeReact()',
    isOnServer && vendors.has('react') ? 'previewModules.allowServerComponents()' : '',
    ...linkedLayouts,
    isOldTailwind ? adaptOpacity(linked.code) : linked.code,
    linkedConfig
      ? `${linkedConfig.code}\npreviewModules.run(${JSON.stringify(config!.name)}, { finish: function (exports) { tailwind.config = exports.default || exports } })`
      : '',
    `previewModules.run(${JSON.stringify(entry.name)}, { isAsync: ${linked.isAsync}${mountsItself ? '' : `, finish: ${mounting}`} })`,
  ].join('\n')

  // Style sheets that no module imports: the framework's entry file would, but answers often leave it out.
  const loose = files.filter(
    ({ kind, name }) =>
      kind === 'css' &&
      !isPartial(name) &&
      ![linked.code, ...linkedLayouts].some((code) => code.includes(`define(${JSON.stringify(name)}`)),
  )
  const looseStyles: string[] = []
  for (const file of loose) looseStyles.push(await writeStyles(file, files, report))
  const theme = vendors.has('tailwind') && needsShadcnTheme(vendors, markup) ? writeShadcnTheme(markup) : undefined
  const head = placeOldDefaults([...withNeeded(vendors), 'modules'].map(vendorScript).join('\n'), isOldTailwind, theme)
  const styles = looseStyles.join('\n')
  const ending = inlineScript(start)
  if (shell) {
    const empty: AssemblyReport = { ...report, vendors: new Set() }
    const parts = await inlineResources({ ...shell, code: withoutProjectScripts(shell.code) }, [], empty, {
      runScripts: true,
    })
    for (const name of empty.vendors) vendors.add(name)
    return appendToBody(insertInHead(parts.html, `${head}\n${styles}`), [...parts.atEnd, ending].join('\n'))
  }
  const containers = mountsItself ? findContainers(entry.code) : []
  const body = (containers.length > 0 ? containers : [isVue || isSvelte ? 'app' : 'root'])
    .map((id) => `<div id="${id}"></div>`)
    .join('')
  return wrapPage(`${head}\n${styles}`, `${body}\n${ending}`)
}

/** A component that Next.js would run on a server: `export default async function Page()`. */
const ASYNC_COMPONENT = /\basync\s+function\s+[A-Z]\w*\s*\(|\bconst\s+[A-Z]\w*\s*(?::[^=\n]+)?=\s*async\b/

/** The layouts around a page of Next.js, innermost first. */
function findLayouts(entry: CodeFile, files: CodeFile[]): CodeFile[] {
  if (!/(?:^|\/)page\.\w+$/.test(entry.name)) return []
  const folder = entry.name.replace(/[^/]*$/, '')
  return files
    .filter(({ name }) => /(?:^|\/)layout\.[jt]sx?$/.test(name) && folder.startsWith(name.replace(/[^/]*$/, '')))
    .toSorted((a, b) => b.name.length - a.name.length)
}

/** Components of shadcn, or classes named after its colours in a page that defines none. */
function needsShadcnTheme(vendors: Set<string>, markup: string): boolean {
  if (/--color-primary\s*:/.test(markup)) return false
  return (
    vendors.has('shadcn') ||
    /\b(?:bg-background|text-foreground|text-muted-foreground|bg-card|text-primary-foreground)\b/.test(markup)
  )
}

/** `_variables.scss`: only other style sheets use it. */
const isPartial = (name: string) => /(?:^|\/)_[^/]*$/.test(name)

/** A style sheet that no module imports. */
async function writeStyles(file: CodeFile, files: CodeFile[], report: AssemblyReport): Promise<string> {
  const styles = isStyleSource(file) ? await compileStyles(file, files) : { css: file.code }
  if ('problem' in styles) {
    report.problems.push(styles.problem)
    return ''
  }
  const css = inlineStylePictures(styles.css, files, file.name)
  if (!isTailwindSource(css)) return inlineStyle(cleanStyles(css, report.blocked))
  report.vendors.add('tailwind')
  return inlineStyle(adaptTailwindSource(css), 'text/tailwindcss')
}

/** Removes scripts of the project from its page: its modules are linked anyway. */
function withoutProjectScripts(html: string): string {
  const scripts = readHtml(html).tags.filter(({ name, attributes }) => name === 'script' && attributes.has('src'))
  const own = scripts.filter(({ attributes }) => !isRemote(attributes.get('src')!))
  return applyReplacements(
    html,
    own.map(({ start, end }) => ({ start, end, text: '' })),
  )
}

async function assembleDocument({ files, entry, report }: Assembly, isComplete: boolean): Promise<string> {
  const page = readHtml(entry.code).isDocument ? entry : { ...entry, code: wrapPage('', entry.code) }
  const others = files.filter((file) => file !== entry)
  const finish = (parts: HtmlParts): string => {
    const html = appendToBody(parts.html, parts.atEnd.join('\n'))
    return parts.usesOldTailwind ? placeOldDefaults(adaptOpacity(html), true) : html
  }
  if (!isComplete) return finish(await inlineResources(page, others, report, { runScripts: false }))
  const write = async (shown: CodeFile, own: AssemblyReport): Promise<string> =>
    finish(
      await inlineResources(
        shown,
        files.filter((file) => file.name !== shown.name),
        own,
        { runScripts: true },
      ),
    )
  return gatherPages({ entry: page, files, report, write, addBootstrap: insertBootstrap })
}

/** Puts the defaults before Tailwind's script: styles that it finds later would make it compile everything again. */
function placeOldDefaults(html: string, isOldTailwind: boolean, theme?: string): string {
  const script = vendorScript('tailwind')
  const sources = [...(isOldTailwind ? [oldTailwindDefaults] : []), ...(theme === undefined ? [] : [theme])]
  return html.replace(
    script,
    () => `${sources.map((source) => `${inlineStyle(source, 'text/tailwindcss')}\n`).join('')}${script}`,
  )
}

/** A script alone, without a page that loads what it uses. */
const GLOBALS_IN_USE: [pattern: RegExp, vendor: string][] = [
  [/\bfunction\s+setup\s*\([\s\S]*\bcreateCanvas\s*\(|\bnew\s+p5\b/, 'p5'],
  [/\bTHREE\.\w/, 'three'],
  [/\bTHREE\.(?:OrbitControls|GLTFLoader|EffectComposer)\b/, 'three-addons'],
  [/\bd3\.(?:select|scale|json|line|axis)/, 'd3'],
  [/\bnew\s+Chart\(/, 'chart'],
  [/\bgsap\.\w/, 'gsap'],
  [/\bMatter\.\w/, 'matter'],
  [/(?<![\w$.])(?:\$|jQuery)\(\s*(?:``|document|window|function|\(\))/, 'jquery'],
]

/** Centres pictures; the answer's own styles come after it. */
const PICTURE_STYLES =
  '<style>body{margin:0;min-height:100vh;display:grid;place-items:center}svg{max-width:100%;max-height:100vh}</style>'

/** The pictures of an answer as markup, without those that its code loads by their names. */
function writePictures(files: CodeFile[]): string {
  return files
    .filter(({ kind, code }) => kind === 'svg' && /<svg\b/i.test(code))
    .filter(({ name }) => !files.some((other) => other.name !== name && other.code.includes(name.replace(/^.*\//, ''))))
    .map(({ code }) => code.replace(/^\s*<\?xml[^>]*>\s*/, ''))
    .join('\n')
}

async function writeAllStyles({ files, report }: Assembly): Promise<string> {
  const styles: string[] = []
  for (const file of files)
    if (file.kind === 'css' && !isPartial(file.name)) styles.push(await writeStyles(file, files, report))
  return styles.join('\n')
}

async function assembleScript(assembly: Assembly): Promise<string | undefined> {
  const { files, entry, report } = assembly
  const pictures = writePictures(files)
  const styles = await writeAllStyles(assembly)
  const drawn = new Set(readHtml(pictures).tags.map(({ attributes }) => attributes.get('id')))
  const containers = findContainers(entry.code)
    .filter((id) => !drawn.has(id))
    .map((id) =>
      /canvas|game|board/i.test(id) && /getContext\(/.test(entry.code)
        ? `<canvas id="${id}" width="640" height="480"></canvas>`
        : `<div id="${id}"></div>`,
    )
  const linked = await linkModules(entry, files, report)
  if (!linked) return undefined
  for (const [pattern, vendor] of GLOBALS_IN_USE)
    if (pattern.test(stripText(entry.code)) && !/\bimport\b/.test(entry.code)) report.vendors.add(vendor)
  const isPlain = entry.kind === 'js' && !hasModuleSyntax(entry.code)
  const start = isPlain
    ? inlineScript(inlinePictures(entry.code, files, entry.name))
    : inlineScript(`${linked.code}\npreviewModules.run(${JSON.stringify(entry.name)}, { isAsync: ${linked.isAsync} })`)
  const scripts = isPlain ? withNeeded(report.vendors) : [...withNeeded(report.vendors), 'modules']
  const head = [...scripts.map(vendorScript), ...(pictures === '' ? [] : [PICTURE_STYLES]), styles]
  return wrapPage(head.join('\n'), [pictures, ...containers, start].join('\n'))
}

async function assemblePictures(assembly: Assembly): Promise<string> {
  const styles = await writeAllStyles(assembly)
  const scripts = withNeeded(assembly.report.vendors).map(vendorScript)
  const pictures = writePictures(assembly.files)
  return wrapPage([...scripts, PICTURE_STYLES, styles].join('\n'), pictures === '' ? assembly.entry.code : pictures)
}

function assembleKind(
  runs: Runnable,
  assembly: Assembly,
  { shell, isComplete }: { shell: CodeFile | undefined; isComplete: boolean },
): Promise<string | undefined> {
  switch (runs.kind) {
    case 'html':
      return assembleDocument(assembly, isComplete)
    case 'react':
    case 'vue':
    case 'svelte':
      return assembleProject(runs, assembly, shell)
    case 'script':
      return assembleScript(assembly)
    case 'svg':
      return assemblePictures(assembly)
  }
}

/** The files of an answer, of which the last may end in the middle of its code. */
async function closeCutFiles({ files, isComplete }: ExtractedCode): Promise<{ files: CodeFile[]; cuts: string[] }> {
  if (!isComplete) return { files, cuts: [] }
  const closed = await Promise.all(files.map((file) => (file.isComplete ? { file } : closeCutFile(file))))
  return {
    files: closed.map(({ file }) => file),
    cuts: closed.flatMap((one) => ('problem' in one && one.problem !== undefined ? [one.problem] : [])),
  }
}

/** Makes one document from the code of an answer. Never throws for bad code: `problems` says what is wrong. */
export async function assemblePage(answered: ExtractedCode, packages?: PagePackages): Promise<AssembledPage> {
  const { files, cuts } = await closeCutFiles(answered)
  const extracted = { ...answered, files }
  const { runs, isComplete } = extracted
  const report: AssemblyReport = {
    vendors: new Set<string>(),
    blocked: createBlockedList(),
    notes: new Set(extracted.notes),
    problems: cuts,
    packages: packages ?? (await openPagePackages(undefined)),
    aliases: readAliases(extracted.files),
  }
  const entry = extracted.files.find(({ name }) => name === runs?.entry)
  const finish = (html: string | undefined): AssembledPage => ({
    html: insertBootstrap(
      html ??
        writeMessage(
          report.problems.length > 0 ? ['The code cannot be run.', ...report.problems] : ['The code cannot be run.'],
        ),
    ),
    runs: html !== undefined,
    usesVendor: html === undefined ? [] : [...report.vendors].sort(),
    blocked: report.blocked.list(),
    missing: html === undefined ? [] : report.blocked.describeMissing(),
    installable: html === undefined ? [] : report.blocked.listInstallable(),
    notes: [...report.notes, ...report.packages.notes()],
    problems: report.problems,
    isUnsupported: html === undefined && (extracted.isUnsupported === true || report.isUnsupported === true),
  })

  if (!runs || !entry) {
    const problem = isComplete ? (extracted.problem ?? 'There is nothing to run.') : 'The code is still arriving.'
    if (isComplete) report.problems.push(problem)
    return { ...finish(undefined), html: insertBootstrap(writeMessage([problem])) }
  }
  const assembly: Assembly = {
    files: extracted.files.filter((file) => belongsToPage(file) || /tailwind\.config\./.test(file.name)),
    entry,
    report,
  }
  if (!isComplete && runs.kind !== 'html' && runs.kind !== 'svg')
    return { ...finish(undefined), html: insertBootstrap(writeMessage(['The code is still arriving.'])), problems: [] }
  const shell = extracted.files.find(({ name }) => name === runs.shell)
  const html = await assembleKind(runs, assembly, { shell, isComplete })
  if (html === undefined || !isComplete) return finish(html)
  const fonts = findFonts(assembly.files)
  for (const font of fonts) report.vendors.add(font)
  const withFonts = fonts.length === 0 ? html : insertInHead(html, fonts.map(vendorScript).join('\n'))
  const whole = await addRequestedFiles(withFonts, assembly.files)
  const found = await report.packages.findBundle()
  if (!found) return finish(whole)
  const { bundle, ...wanted } = found
  if (!bundle) return { ...finish(whole), wanted }
  for (const [specifier, reason] of Object.entries(bundle.failed)) report.blocked.addUnusable(specifier, reason)
  for (const vendor of bundle.needs) report.vendors.add(vendor)
  const scripts = [...withNeeded(bundle.needs), wanted.name].map(vendorScript).filter((tag) => !whole.includes(tag))
  return finish(
    Object.keys(bundle.failed).length < wanted.specifiers.length ? insertInHead(whole, scripts.join('\n')) : whole,
  )
}
