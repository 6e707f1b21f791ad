import { join } from 'node:path'
import type { Plugin } from 'rolldown'
import { libraries, type Library } from './libraries.ts'
import { withNeeded } from './vendored-files.ts'

/** Libraries that are globals in the page, whoever imports them: so that there is one React, one Vue, one three. */
const GLOBALS: Record<string, Record<string, string>> = {
  react: {
    react: 'React',
    'react/jsx-runtime': 'ReactJSXRuntime',
    'react-dom': 'ReactDOM',
    'react-dom/client': 'ReactDOM',
  },
  vue: { vue: 'Vue' },
  lucide: { 'lucide-react': 'LucideReact' },
}

/** Makes a library use those that it needs from the page, and not bring copies of its own. */
export function shareLibraries({ name, needs = [] }: Library): Plugin {
  const shared = new Map<string, string>()
  for (const needed of withNeeded(needs)) {
    if (needed === name) continue
    for (const [specifier, value] of Object.entries(GLOBALS[needed] ?? {})) shared.set(specifier, value)
    for (const specifier of Object.keys(libraries.find((library) => library.name === needed)?.modules ?? {}))
      shared.set(specifier, `previewLibraries[${JSON.stringify(specifier)}]`)
  }
  return {
    name: 'share-libraries',
    resolveId: {
      filter: { id: /^(?:react|vue|lucide|three|chart|clsx|class-|tailwind-|radix-)/ },
      handler(id) {
        const specifier = id.replace(/^three\/examples\/jsm\//, 'three/addons/')
        return shared.has(specifier) ? `shared:${specifier}` : undefined
      },
    },
    load: (id) =>
      id.startsWith('shared:') ? `module.exports = globalThis.${shared.get(id.slice('shared:'.length))}` : undefined,
  }
}

/**
 * Writes the module that a library's file is bundled from. It puts what pages import into `previewLibraries`, and defines the globals
 * of its script build. Descriptors are copied: some exports change while a page runs.
 */
export function writeLibraryEntry({ modules = {}, globals = {}, extends: extended }: Library): string {
  const specifiers = Object.keys(modules)
  const imports = specifiers.map((specifier, index) => {
    const source = modules[specifier]!
    const path = source.startsWith('.') ? join(import.meta.dirname, source) : source
    return `import * as m${index} from ${JSON.stringify(path)}`
  })
  const provided = specifiers.map((specifier, index) => `provide(${JSON.stringify(specifier)}, m${index})`)
  const defined = Object.entries(globals).map(([name, value]) => {
    const [specifier = '', member] = value.split('#')
    const module = `m${specifiers.indexOf(specifier)}`
    return `globalThis[${JSON.stringify(name)}] = ${member === undefined ? `{ ...${module} }` : `${module}.${member}`}`
  })
  const extension = extended === undefined ? [] : specifiers.map((_specifier, index) => `extend(m${index})`)
  return `${imports.join('\n')}
const libraries = (globalThis.previewLibraries ??= {})
function provide(name, module) {
  const { default: own, __esModule, ...others } = Object.getOwnPropertyDescriptors(module)
  libraries[name] = Object.defineProperties({}, others)
  Object.defineProperty(libraries[name], '__esModule', { value: true })
  Object.defineProperty(libraries[name], 'default', { value: 'default' in module ? module.default : libraries[name] })
}
function extend(module) {
  for (const [name, value] of Object.entries(module)) if (name !== 'default') globalThis[${JSON.stringify(extended ?? '')}][name] ??= value
}
${[...provided, ...defined, ...extension].join('\n')}
`
}
