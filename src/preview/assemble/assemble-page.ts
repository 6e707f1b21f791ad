import { inlineResources, vendorScript, type HtmlParts } from './assemble-html.ts'
import { belongsToPage } from '../extract/choose-runnable.ts'
import type { CodeFile, ExtractedCode, Runnable } from '../extract/code-file.ts'
import { hasModuleSyntax } from './compile-script.ts'
import { linkModules, type AssemblyReport } from './link-modules.ts'
import { exportComponent } from './react-entry.ts'
import { readHtml } from './read-html.ts'
import { createBlockedList, isRemote, type BlockedUrl } from './remote-addresses.ts'
import { adaptOpacity, oldTailwindDefaults, usesTailwindClasses } from './tailwind-classes.ts'
import type { VendorName } from '../vendor/vendored-files.ts'
import { appendToBody, applyReplacements, inlineScript, inlineStyle, insertFirst, insertInHead } from './write-html.ts'

/** A document that runs from the preview's own origin without a network. */
export interface AssembledPage {
  /** Always a complete document; if nothing can run, one that says why. */
  html: string
  /** True if `html` is the answer's page, false if it is a message instead. */
  runs: boolean
  /** The included libraries that it loads: `react`, `vue`, `tailwind`, `lucide`. */
  usesVendor: string[]
  /** What it would load from the network and does not get. The page itself reports what its code requests while it runs. */
  blocked: BlockedUrl[]
  /** What the user should know about how the page was made. */
  notes: string[]
  /** What is wrong with the code itself: it does not compile, or imports something missing. */
  problems: string[]
}

function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
}

function writeMessage(sentences: string[]): string {
  const style =
    'body{font:14px/1.5 system-ui,sans-serif;margin:0;min-height:100vh;display:grid;place-items:center;color:#555;background:#fafafa}div{max-width:34rem;padding:1.5rem}'
  return wrap(
    `<style>${style}</style>`,
    `<div role="status">${sentences.map((sentence) => `<p>${escapeText(sentence)}</p>`).join('')}</div>`,
  )
}

function wrap(head: string, body: string): string {
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
  const mountsItself = isVue
    ? entry.kind !== 'vue'
    : /\bcreateRoot\s*\(|\bReactDOM\s*\.\s*\w+\s*\(|\bhydrateRoot\s*\(/.test(entry.code)
  const prepared = isVue || mountsItself ? entry : exportComponent(entry)
  vendors.add(isVue ? 'vue' : 'react')
  const linked = await linkModules(
    prepared,
    files.map((file) => (file === entry ? prepared : file)),
    report,
  )
  if (!linked) return undefined

  const markup = files.map(({ code }) => code).join('\n')
  if (
    !vendors.has('tailwind') &&
    (usesTailwindClasses(markup) || files.some(({ name }) => /tailwind\.config\./.test(name)))
  ) {
    vendors.add('tailwind')
    notes.add('The page uses Tailwind classes, so Tailwind was added.')
  }
  const config = files.find(({ name }) => /tailwind\.config\.\w+$/.test(name))
  const linkedConfig = config && vendors.has('tailwind') ? await linkModules(config, [], report) : undefined
  const isOldTailwind = vendors.has('tailwind') && !/@import\s+["']tailwindcss|@theme\b/.test(markup)
  const start = [
    isVue ? '' : 'previewModules.exposeReact()',
    isOldTailwind ? adaptOpacity(linked.code) : linked.code,
    linkedConfig
      ? `${linkedConfig.code}\npreviewModules.run(${JSON.stringify(config!.name)}, { finish: function (exports) { tailwind.config = exports.default || exports } })`
      : '',
    `previewModules.run(${JSON.stringify(entry.name)}, { isAsync: ${linked.isAsync}${mountsItself ? '' : ', finish: previewModules.mount'} })`,
  ].join('\n')

  // Style sheets that no module imports: the framework's entry file would, but answers often leave it out.
  const loose = files.filter(
    ({ kind, name }) => kind === 'css' && !linked.code.includes(`define(${JSON.stringify(name)}`),
  )
  const scripts = (['react', 'vue', 'lucide', 'tailwind'] as const).filter((name) => vendors.has(name))
  const head = placeOldDefaults([...scripts, 'modules'].map(vendorScript).join('\n'), isOldTailwind)
  const styles = loose.map(({ code }) => inlineStyle(code)).join('\n')
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
  const body = (containers.length > 0 ? containers : [isVue ? 'app' : 'root'])
    .map((id) => `<div id="${id}"></div>`)
    .join('')
  return wrap(`${head}\n${styles}`, `${body}\n${ending}`)
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
  const page = readHtml(entry.code).isDocument ? entry : { ...entry, code: wrap('', entry.code) }
  const others = files.filter((file) => file !== entry)
  const parts: HtmlParts = await inlineResources(page, others, report, { runScripts: isComplete })
  const html = appendToBody(parts.html, parts.atEnd.join('\n'))
  return parts.usesOldTailwind ? placeOldDefaults(adaptOpacity(html), true) : html
}

/** Puts the defaults before Tailwind's script: styles that it finds later would make it compile everything again. */
function placeOldDefaults(html: string, isOldTailwind: boolean): string {
  const script = vendorScript('tailwind')
  return isOldTailwind
    ? html.replace(script, () => `${inlineStyle(oldTailwindDefaults, 'text/tailwindcss')}\n${script}`)
    : html
}

async function assembleScript({ files, entry, report }: Assembly): Promise<string | undefined> {
  const styles = files
    .filter(({ kind }) => kind === 'css')
    .map(({ code }) => inlineStyle(code))
    .join('\n')
  const containers = findContainers(entry.code).map((id) =>
    /canvas|game|board/i.test(id) && /getContext\(/.test(entry.code)
      ? `<canvas id="${id}" width="640" height="480"></canvas>`
      : `<div id="${id}"></div>`,
  )
  const linked = await linkModules(entry, files, report)
  if (!linked) return undefined
  const isPlain = entry.kind === 'js' && !hasModuleSyntax(entry.code)
  const start = isPlain
    ? inlineScript(entry.code)
    : inlineScript(`${linked.code}\npreviewModules.run(${JSON.stringify(entry.name)}, { isAsync: ${linked.isAsync} })`)
  const scripts = isPlain ? [] : [...report.vendors, 'modules']
  return wrap(`${scripts.map(vendorScript).join('\n')}\n${styles}`, `${containers.join('\n')}\n${start}`)
}

function assembleImage({ entry }: Assembly): string {
  return wrap(
    '<style>body{margin:0;min-height:100vh;display:grid;place-items:center}svg{max-width:100%;max-height:100vh}</style>',
    entry.code.replace(/^\s*<\?xml[^>]*>\s*/, ''),
  )
}

/** Makes one document from the code of an answer. Never throws for bad code: `problems` says what is wrong. */
export async function assemblePage(extracted: ExtractedCode): Promise<AssembledPage> {
  const { runs, isComplete } = extracted
  const report: AssemblyReport = {
    vendors: new Set<VendorName>(),
    blocked: createBlockedList(),
    notes: new Set(extracted.notes),
    problems: [],
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
    notes: [...report.notes],
    problems: report.problems,
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
  switch (runs.kind) {
    case 'html':
      return finish(await assembleDocument(assembly, isComplete))
    case 'react':
    case 'vue':
      return finish(
        await assembleProject(
          runs,
          assembly,
          extracted.files.find(({ name }) => name === runs.shell),
        ),
      )
    case 'script':
      return finish(await assembleScript(assembly))
    case 'svg':
      return finish(assembleImage(assembly))
  }
}
