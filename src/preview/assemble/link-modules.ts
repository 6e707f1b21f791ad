import { compileModule, isScriptKind, usesPreact, wrapModule, type Compiled } from './compile-script.ts'
import { compileSvelte } from './compile-svelte.ts'
import { compileStyles, isStyleSource } from './compile-styles.ts'
import { compileVue } from './compile-vue.ts'
import type { CodeFile } from '../extract/code-file.ts'
import { inlinePictures, inlineStylePictures, pictureUrl } from './answer-pictures.ts'
import { findFile } from './find-file.ts'
import { findLibrary, findStyles } from './known-libraries.ts'
import { isRemote, cleanStyles, type BlockedList } from './remote-addresses.ts'
import { adaptTailwindSource, isTailwindSource } from './tailwind-classes.ts'

/** What is collected while a page is assembled. */
export interface AssemblyReport {
  vendors: Set<string>
  blocked: BlockedList
  notes: Set<string>
  problems: string[]
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
    return addPictures(await compileModule({ name: file.name, kind: file.kind, code: file.code }))
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
  const { vendors, blocked, notes, problems } = report
  const done = new Set<string>()
  const parts: string[] = []
  let isAsync = false
  let hasFailed = false

  const resolve = (specifier: string, from: CodeFile): { target: string; next?: CodeFile } | undefined => {
    const mapped = mapImport(specifier, importMap)
    const library = findLibrary(specifier) ?? findLibrary(mapped)
    const styles = mapped.endsWith('.css') ? findStyles(mapped) : undefined
    if (styles !== undefined && !findFile(files, mapped, from.name)) {
      vendors.add(styles)
      return { target: 'function () { return {} }' }
    }
    const isLocal = /^[./~]|^@\/|^\$lib\//.test(mapped) && !isRemote(mapped)
    const file = isLocal || !library ? findFile(files, mapped, from.name) : undefined
    if (file && file !== from) return { target: JSON.stringify(file.name), next: file }
    if (library) {
      vendors.add(library.vendor)
      if (library.vendor === 'shadcn') vendors.add('tailwind')
      return { target: `function () { return ${library.value} }` }
    }
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
    if ((file.kind === 'jsx' || file.kind === 'tsx') && !usesPreact(file.code)) vendors.add('react')
    if (file.kind === 'vue') vendors.add('vue')
    parts.push(
      `previewModules.define(${JSON.stringify(file.name)}, ${wrapModule(compiled)}, { ${targets.join(', ')} })`,
    )
  }
  return hasFailed ? undefined : { code: parts.join('\n'), isAsync }
}
