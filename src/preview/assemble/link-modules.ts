import { compileModule, isScriptKind, wrapModule, type Compiled } from './compile-script.ts'
import { compileVue } from './compile-vue.ts'
import type { CodeFile } from '../extract/code-file.ts'
import { findLibrary } from './known-libraries.ts'
import { isRemote, cleanStyles, type BlockedList } from './remote-addresses.ts'
import { adaptTailwindSource, isTailwindSource } from './tailwind-classes.ts'
import type { VendorName } from '../vendor/vendored-files.ts'

/** What is collected while a page is assembled. */
export interface AssemblyReport {
  vendors: Set<VendorName>
  blocked: BlockedList
  notes: Set<string>
  problems: string[]
}

/** `previewModules.define(…)` calls for a module and everything it imports. */
export interface LinkedModules {
  code: string
  isAsync: boolean
}

const ENDINGS = [
  '',
  '.tsx',
  '.ts',
  '.jsx',
  '.js',
  '.mjs',
  '.vue',
  '.json',
  '.css',
  '/index.tsx',
  '/index.ts',
  '/index.jsx',
  '/index.js',
  '/index.vue',
]

function joinPath(from: string, specifier: string): string {
  const parts = specifier.startsWith('.') ? from.split('/').slice(0, -1) : []
  for (const part of specifier.replace(/[?#].*$/, '').split('/')) {
    if (part === '..') parts.pop()
    else if (part !== '.' && part !== '') parts.push(part)
  }
  return parts.join('/')
}

/** Finds the file for an import or address: by its path, or by the end of the path if only one file fits. */
export function findFile(files: CodeFile[], specifier: string, from = ''): CodeFile | undefined {
  const path = joinPath(from, specifier.replace(/^[@~]\//, ''))
  if (path === '') return undefined
  const candidates = ENDINGS.map((ending) => path + ending)
  // TypeScript imports `./x.ts` as `./x.js`.
  if (/\.jsx?$/.test(path)) candidates.push(path.replace(/\.js(x?)$/, '.ts$1'), path.replace(/\.js$/, '.tsx'))
  for (const candidate of candidates) {
    const exact = files.find(({ name }) => name === candidate)
    if (exact) return exact
  }
  for (const candidate of candidates) {
    const short = candidate.replace(/^(?:src|app|public|static)\//, '')
    const fitting = files.filter(
      ({ name }) => name.endsWith(`/${short}`) || name === short || candidate.endsWith(`/${name}`),
    )
    if (fitting.length === 1) return fitting[0]
  }
  return undefined
}

function importedNames(code: string): string[] {
  return [
    ...new Set(
      [...code.matchAll(/\brequire\(\s*(['"])((?:\\.|(?!\1).)*)\1\s*\)/g)].map(([, , specifier]) => specifier!),
    ),
  ]
}

async function compileFile(file: CodeFile, { vendors, blocked, notes, problems }: AssemblyReport): Promise<Compiled> {
  if (isScriptKind(file.kind)) return compileModule({ name: file.name, kind: file.kind, code: file.code })
  if (file.kind === 'vue') {
    const component = await compileVue(file)
    if ('problem' in component) return component
    for (const note of component.notes) notes.add(note)
    const styles = cleanStyles(component.styles, blocked).trim()
    const compiled = await compileModule({ name: file.name, kind: 'ts', code: component.script })
    return 'problem' in compiled || styles === ''
      ? compiled
      : { ...compiled, code: `${compiled.code}\npreviewModules.addStyle(${JSON.stringify(styles)})` }
  }
  const isPlain = file.kind === 'css' && !/\.(?:scss|sass|less|styl)$/.test(file.name)
  if (isPlain && isTailwindSource(file.code)) {
    vendors.add('tailwind')
    return {
      code: `module.exports = previewModules.addStyle(${JSON.stringify(adaptTailwindSource(file.code))}, 'text/tailwindcss')`,
      isAsync: false,
    }
  }
  if (isPlain)
    return {
      code: `module.exports = previewModules.addStyle(${JSON.stringify(cleanStyles(file.code, blocked))})`,
      isAsync: false,
    }
  if (file.kind === 'svg')
    return {
      code: `module.exports = ${JSON.stringify(`data:image/svg+xml,${encodeURIComponent(file.code)}`)}`,
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
    const mapped = importMap.get(specifier) ?? specifier
    const library = findLibrary(specifier) ?? findLibrary(mapped)
    const isLocal = /^[./~]|^@\//.test(mapped) && !isRemote(mapped)
    const file = isLocal || !library ? findFile(files, mapped, from.name) : undefined
    if (file && file !== from) return { target: JSON.stringify(file.name), next: file }
    if (library) {
      vendors.add(library.vendor)
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
    const compiled = await compileFile(file, report)
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
    if (file.kind === 'jsx' || file.kind === 'tsx') vendors.add('react')
    if (file.kind === 'vue') vendors.add('vue')
    parts.push(
      `previewModules.define(${JSON.stringify(file.name)}, ${wrapModule(compiled)}, { ${targets.join(', ')} })`,
    )
  }
  return hasFailed ? undefined : { code: parts.join('\n'), isAsync }
}
