/** What the bundle of a library that pages load begins with, and its options. */
import { readFileSync } from 'node:fs'
import { dirname, extname, join } from 'node:path'

interface Entry {
  /** What pages import, and the file or package that answers. */
  modules?: Record<string, string>
  globals?: Record<string, string>
  extends?: string | undefined
}

/**
 * Writes the module that a library's file is bundled from. It puts what pages import into `previewLibraries`, and defines the globals
 * of its script build. Descriptors are copied: some exports change while a page runs.
 */
export function writeLibraryEntry({ modules = {}, globals = {}, extends: extended }: Entry): string {
  const specifiers = Object.keys(modules)
  const imports = specifiers.map(
    (specifier, index) => `import * as m${index} from ${JSON.stringify(modules[specifier])}`,
  )
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

/** Options of the bundler for what runs in a page. */
export const pageBundle = {
  platform: 'browser' as const,
  moduleTypes: { '.png': 'dataurl' as const },
  transform: {
    define: {
      'process.env.NODE_ENV': '"production"',
      // Scripts have neither; what is left loads files that pages cannot have.
      'import.meta.url': 'location.href',
      'import.meta.hot': 'undefined',
      'import.meta.env': '{ MODE: "production" }',
      __VUE_PROD_DEVTOOLS__: 'false',
    },
  },
  checks: { eval: false, pluginTimings: false },
}

export const pageConditions = ['production', 'browser', 'module', 'default']

export const pageOutput = { format: 'iife' as const, minify: true, comments: false, codeSplitting: false }

const TYPES: Record<string, string> = { '.woff2': 'font/woff2', '.png': 'image/png', '.svg': 'image/svg+xml' }

/**
 * Puts fonts and images into a style sheet: pages load neither, nor style sheets. Older font formats are left out.
 * `read` gives the content of a file beside the style sheet, or undefined.
 */
export function embedFiles(css: string, read: (path: string) => Buffer | undefined): string {
  return css.replace(/url\((["']?)([^)"']+)\1\)/g, (whole, _quote: string, address: string) => {
    const path = address.replace(/[?#].*$/, '')
    const type = TYPES[extname(path)]
    if (/^(?:data:|#)/.test(address)) return whole
    const content = type === undefined ? undefined : read(path)
    return content === undefined ? 'url()' : `url(data:${type};base64,${content.toString('base64')})`
  })
}

/** The files beside the style sheet at this path. */
export const filesBeside =
  (stylePath: string) =>
  (path: string): Buffer =>
    readFileSync(join(dirname(stylePath), path))
