import { compileModule, isScriptKind, usesPreact, usesSolid, wrapModule, type Compiled } from './compile-script.ts'
import { compileStyles, isStyleSource } from './compile-styles.ts'
import type { CodeFile } from '../extract/code-file.ts'
import { inlinePictures, inlineStylePictures, pictureUrl } from './answer-pictures.ts'
import { applyAlias } from './aliases.ts'
import { findFile } from './find-file.ts'
import { findLibrary, findStyles } from './known-libraries.ts'
import { isRemote, cleanStyles, type BlockedList } from './remote-addresses.ts'
import { adaptTailwindSource, isTailwindSource } from './tailwind-classes.ts'
import { compilers } from './compilers.ts'
import type { PagePackages } from '../packages/page-packages.ts'

/** A Vue single-file component as a TypeScript module, with its styles separate. */
interface CompiledComponent {
  script: string
  styles: string
  notes: string[]
}

/** Returns an id that depends only on the file name, so that scoped styles match their elements. */
function scopeOf(name: string): string {
  let hash = 7
  for (const character of name) hash = (Math.imul(hash, 31) + character.codePointAt(0)!) >>> 0
  return hash.toString(36)
}

/** Compiles the template, the script (including `<script setup>` and TypeScript) and plain or scoped styles. */
async function compileVue(
  { name, code }: Pick<CodeFile, 'name' | 'code'>,
  files: CodeFile[] = [],
): Promise<CompiledComponent | { problem: string; isUnsupported?: boolean }> {
  const { compileScript, compileStyle, compileTemplate, parse } = await compilers.vue()
  const notes: string[] = []
  try {
    const { descriptor, errors } = parse(code, { filename: name, sourceMap: false })
    if (errors[0]) return { problem: `${name} cannot be compiled: ${errors[0].message}` }
    const { template, script, scriptSetup, styles } = descriptor
    if (!template && !script && !scriptSetup) return { problem: `${name} has neither a template nor a script.` }
    if (template?.lang && template.lang !== 'html')
      return { problem: `${name}: a template in ${template.lang} is not supported.`, isUnsupported: true }

    const id = scopeOf(name)
    const isScoped = styles.some((style) => style.scoped)
    const options = { id: `data-v-${id}`, scoped: isScoped, isProd: true }
    const css: string[] = []
    for (const style of styles) {
      const { lang = 'css' } = style
      const isSass = lang === 'scss' || lang === 'sass'
      if (!isSass && lang !== 'css' && lang !== 'postcss')
        notes.push(`${name}: its styles are in ${lang}; only the plain CSS in them is used.`)
      const plain = isSass ? await compileStyles({ name: `${name}.${lang}`, code: style.content }, files) : undefined
      if (plain && 'problem' in plain) return plain
      const source = plain?.css ?? style.content
      css.push(compileStyle({ source, filename: name, id: options.id, scoped: style.scoped ?? false }).code)
    }

    const parts: string[] = []
    if (script || scriptSetup) {
      const compiled = compileScript(descriptor, {
        id: options.id,
        inlineTemplate: Boolean(scriptSetup),
        isProd: true,
        genDefaultAs: '__component',
        templateOptions: { ...options, filename: name },
      })
      parts.push(compiled.content)
    } else parts.push('const __component = {}')
    if (template && !scriptSetup) {
      const compiled = compileTemplate({ source: template.content, filename: name, ...options })
      const [error] = compiled.errors
      if (error) return { problem: `${name} cannot be compiled: ${typeof error === 'string' ? error : error.message}` }
      parts.push(compiled.code, '__component.render = render')
    }
    if (isScoped) parts.push(`__component.__scopeId = ${JSON.stringify(options.id)}`)
    parts.push('export default __component')
    return { script: parts.join('\n'), styles: css.join('\n'), notes }
  } catch (error) {
    return {
      problem: `${name} cannot be compiled: ${error instanceof Error ? error.message.split('\n')[0] : String(error)}`,
    }
  }
}

const STYLE = /(<style\b[^>]*?)\s+lang=["'](scss|sass)["']([^>]*>)([\s\S]*?)(<\/style>)/i

/** Compiles a Svelte component to a module that adds its own styles. */
async function compileSvelte({
  name,
  code,
}: Pick<CodeFile, 'name' | 'code'>): Promise<{ script: string } | { problem: string }> {
  const { compile } = await compilers.svelte()
  try {
    const [whole, start = '', lang = '', rest = '', source = '', end = ''] = STYLE.exec(code) ?? []
    const styles = whole === undefined ? undefined : await compileStyles({ name: `${name}.${lang}`, code: source }, [])
    if (styles && 'problem' in styles) return styles
    const plain = whole !== undefined && styles ? code.replace(whole, () => `${start}${rest}${styles.css}${end}`) : code
    const { js } = compile(plain, { filename: name, generate: 'client', css: 'injected', dev: false })
    return { script: js.code }
  } catch (error) {
    const place = error instanceof Error && 'start' in error ? error.start : undefined
    const line = typeof place === 'object' && place !== null && 'line' in place ? ` at line ${String(place.line)}` : ''
    const message = error instanceof Error ? error.message.split('\n')[0]! : String(error)
    return { problem: `${name} cannot be compiled: ${message.replace(/\.$/, '')}${line}.` }
  }
}

/** What is collected while a page is assembled. */
export interface AssemblyReport {
  vendors: Set<string>
  blocked: BlockedList
  notes: Set<string>
  problems: string[]
  /** The packages that are installed beside what ships. */
  packages: PagePackages
  /** Names of the project's folders. */
  aliases?: ReadonlyMap<string, string>
  /** Something does not compile only because we lack its compiler. */
  isUnsupported?: boolean
}

/** `previewModules.define(…)` calls for a module and everything it imports. */
export interface LinkedModules {
  code: string
  isAsync: boolean
}

/** Applies the page's import map: a whole name, or the longest prefix that ends in a slash. */
function mapImport(specifier: string, importMap: ReadonlyMap<string, string>): string {
  const exact = importMap.get(specifier)
  if (exact !== undefined) return exact
  const [prefix] = [...importMap.keys()]
    .filter((key) => key.endsWith('/') && specifier.startsWith(key))
    .toSorted((a, b) => b.length - a.length)
  return prefix === undefined ? specifier : `${importMap.get(prefix)}${specifier.slice(prefix.length)}`
}

function importedNames(code: string): string[] {
  return [
    ...new Set(
      [...code.matchAll(/\brequire\(\s*(['"])((?:\\.|(?!\1).)*)\1\s*\)/g)].map(([, , specifier]) => specifier!),
    ),
  ]
}

async function compileFile(
  file: CodeFile,
  files: CodeFile[],
  { vendors, blocked, notes, problems }: AssemblyReport,
): Promise<Compiled> {
  const addPictures = (compiled: Compiled): Compiled =>
    'problem' in compiled ? compiled : { ...compiled, code: inlinePictures(compiled.code, files, file.name) }
  const cleanOwnStyles = (css: string): string => cleanStyles(inlineStylePictures(css, files, file.name), blocked)
  if (isScriptKind(file.kind))
    return addPictures(
      await compileModule({
        name: file.name,
        kind: file.kind,
        code: file.code,
        isSolid: files.some(({ code }) => usesSolid(code)),
      }),
    )
  if (file.kind === 'vue') {
    const component = await compileVue(file, files)
    if ('problem' in component) return component
    for (const note of component.notes) notes.add(note)
    const styles = cleanOwnStyles(component.styles).trim()
    const compiled = addPictures(await compileModule({ name: file.name, kind: 'ts', code: component.script }))
    return 'problem' in compiled || styles === ''
      ? compiled
      : { ...compiled, code: `${compiled.code}\npreviewModules.addStyle(${JSON.stringify(styles)})` }
  }
  if (file.kind === 'svelte') {
    const component = await compileSvelte(file)
    if ('problem' in component) return component
    vendors.add('svelte')
    return addPictures(await compileModule({ name: file.name, kind: 'js', code: component.script }))
  }
  if (file.kind === 'css') {
    const styles = isStyleSource(file) ? await compileStyles(file, files) : { css: file.code }
    if ('problem' in styles) return styles
    if (isTailwindSource(styles.css)) {
      vendors.add('tailwind')
      return {
        code: `module.exports = previewModules.addStyle(${JSON.stringify(adaptTailwindSource(inlineStylePictures(styles.css, files, file.name)))}, 'text/tailwindcss')`,
        isAsync: false,
      }
    }
    return {
      code: `module.exports = previewModules.addStyle(${JSON.stringify(cleanOwnStyles(styles.css))})`,
      isAsync: false,
    }
  }
  if (file.kind === 'svg')
    return {
      code: `module.exports = ${JSON.stringify(pictureUrl(file))}`,
      isAsync: false,
    }
  if (file.kind === 'json') {
    try {
      return { code: `module.exports = ${JSON.stringify(JSON.parse(file.code))}`, isAsync: false }
    } catch {
      problems.push(`${file.name} is not valid JSON.`)
    }
  }
  return { code: '', isAsync: false }
}

const ASSET = /\.(?:css|scss|sass|less|styl|svg|png|jpe?g|gif|webp|avif|ico|woff2?|mp[34])(?:\?.*)?$/i

const GREY_BOX = `data:image/svg+xml,${encodeURIComponent('<svg xmlns="http://www.w3.org/2000/svg" width="600" height="400"><rect width="100%" height="100%" fill="#c9ccd1"/></svg>')}`

/** Compiles modules, starting from one, and ties their imports to other files of the answer and to shipped libraries. */
export async function linkModules(
  entry: CodeFile,
  files: CodeFile[],
  report: AssemblyReport,
  importMap: ReadonlyMap<string, string> = new Map(),
): Promise<LinkedModules | undefined> {
  const { vendors, blocked, notes, problems, packages } = report
  const done = new Set<string>()
  const parts: string[] = []
  let isAsync = false
  let hasFailed = false

  const resolve = (specifier: string, from: CodeFile): { target: string; next?: CodeFile } | undefined => {
    const mapped = applyAlias(mapImport(specifier, importMap), report.aliases ?? new Map())
    const located = packages.locate(mapped)
    const isChosen = located !== undefined && packages.isRequested(located)
    const library = isChosen ? undefined : (findLibrary(specifier) ?? findLibrary(mapped))
    const styles = mapped.endsWith('.css') && !isChosen ? findStyles(mapped) : undefined
    if (styles !== undefined && !findFile(files, mapped, from.name)) {
      vendors.add(styles)
      return { target: 'function () { return {} }' }
    }
    const isLocal = /^[./~]|^@\/|^\$lib\//.test(mapped) && !isRemote(mapped)
    const file = isLocal || (!library && !located) ? findFile(files, mapped, from.name) : undefined
    if (file && file !== from) return { target: JSON.stringify(file.name), next: file }
    if (library) {
      vendors.add(library.vendor)
      if (library.vendor === 'shadcn') vendors.add('tailwind')
      return { target: `function () { return ${library.value} }` }
    }
    if (located !== undefined) return { target: `function () { return ${packages.use(located)} }` }
    if (isRemote(mapped)) blocked.add(mapped, 'import')
    else if (isLocal && ASSET.test(mapped)) {
      notes.add(`${from.name} imports ${mapped}, which is not in the answer; the page runs without it.`)
      return {
        target: `function () { return ${/\.(?:css|scss|sass|less|styl)$/i.test(mapped) ? '{}' : JSON.stringify(GREY_BOX)} }`,
      }
    } else if (isLocal)
      problems.push(`${from.name} imports ${mapped}, which is not in the answer; an empty placeholder replaces it.`)
    else blocked.add(mapped, 'package')
    return undefined
  }

  const queue = [entry]
  for (let file = queue.shift(); file; file = queue.shift()) {
    if (done.has(file.name)) continue
    done.add(file.name)
    const compiled = await compileFile(file, files, report)
    if ('problem' in compiled) {
      problems.push(compiled.problem)
      report.isUnsupported ||= compiled.isUnsupported === true
      hasFailed = true
      continue
    }
    isAsync ||= compiled.isAsync
    const targets: string[] = []
    for (const specifier of importedNames(compiled.code)) {
      const found = resolve(specifier, file)
      if (found) targets.push(`${JSON.stringify(specifier)}: ${found.target}`)
      if (found?.next) queue.push(found.next)
    }
    if (
      (file.kind === 'jsx' || file.kind === 'tsx') &&
      !usesPreact(file.code) &&
      !files.some(({ code }) => usesSolid(code))
    )
      vendors.add('react')
    if (file.kind === 'vue') vendors.add('vue')
    parts.push(
      `previewModules.define(${JSON.stringify(file.name)}, ${wrapModule(compiled)}, { ${targets.join(', ')} })`,
    )
  }
  return hasFailed ? undefined : { code: parts.join('\n'), isAsync }
}
