import { copyFileSync, mkdirSync, readFileSync, writeFileSync, readdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, dirname } from 'node:path'
import { rolldown, type Plugin } from 'rolldown'
import { libraries, type Library } from './libraries.ts'
import { embedFiles, filesBeside, pageBundle, pageConditions, pageOutput, writeLibraryEntry } from './library-entry.ts'
import { vendoredFiles, withNeeded } from './vendored-files.ts'
import { writeDrawings, type IconNode } from '../in-page/libraries/icon-drawings.ts'

/** Builds the files that previews load: `buildVendor('dist/vendor')`. For the build and the tests, not for the program. */

const require = createRequire(import.meta.url)

/** Where packages are: npm puts those of which the repository has several versions beside what needs them. */
const MODULES = [join(import.meta.dirname, '../../../packages/previews/node_modules'), 'node_modules']

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
function shareLibraries({ name, needs = [] }: Library): Plugin {
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
      filter: { id: /^(?:react|vue|lucide|three|chart|echarts|recharts|leaflet|clsx|class-|tailwind-|radix-)/ },
      handler(id) {
        const specifier = id.replace(/^three\/examples\/jsm\//, 'three/addons/')
        return shared.has(specifier) ? `shared:${specifier}` : undefined
      },
    },
    load: (id) =>
      id.startsWith('shared:') ? `module.exports = globalThis.${shared.get(id.slice('shared:'.length))}` : undefined,
  }
}

/** A script that adds the style sheet where the script is, so that the page's own styles still come after it. */
function writeStyleScript(path: string, css: string): string {
  const text = embedFiles(css, filesBeside(path)).replace(/\/\*# sourceMappingURL=.*?\*\//, '')
  return `(() => { const style = document.createElement('style'); style.textContent = ${JSON.stringify(text)}; document.currentScript.before(style) })()`
}

/** Reads the drawings and all names from the package lucide-react. */
function readIcons(): string {
  const folder = join(dirname(require.resolve('lucide-react/package.json')), 'dist/esm')
  const icons: Record<string, IconNode[]> = {}
  for (const file of readdirSync(join(folder, 'icons'))) {
    const [, literal] =
      /const __iconData = (\{[\s\S]*?\n\});/.exec(
        file.endsWith('.mjs') ? readFileSync(join(folder, 'icons', file), 'utf8') : '',
      ) ?? []
    if (literal === undefined) continue
    const { name, node }: { name: string; node: IconNode[] } = new Function(`return ${literal}`)()
    icons[name] = node.map(([tag, { key: _key, ...attributes }]) => [tag, attributes])
  }
  const aliases: Record<string, string> = {}
  const barrel = readFileSync(join(folder, 'lucide-react.mjs'), 'utf8')
  for (const [, names = '', file = ''] of barrel.matchAll(/export \{([^}]*)\} from '\.\/icons\/([\w-]+)\.mjs'/g)) {
    for (const [, alias = ''] of names.matchAll(/default as (\w+)/g)) {
      const key = alias.toLowerCase()
      if (!/^lucide|icon$/.test(key) && key !== file.replaceAll('-', '') && file in icons) aliases[key] = file
    }
  }
  return `export const drawings = ${JSON.stringify(writeDrawings(icons, aliases))}`
}

/** Provides `virtual:lucide-icons`. */
const iconData: Plugin = {
  name: 'lucide-icons',
  resolveId: (id) => (id === 'virtual:lucide-icons' ? id : undefined),
  load: (id) => (id === 'virtual:lucide-icons' ? readIcons() : undefined),
}

async function bundle(input: string, plugins: Plugin[]): Promise<{ code: string; moduleIds: string[] }> {
  const made = await rolldown({
    ...pageBundle,
    input,
    plugins: [iconData, ...plugins],
    resolve: { conditionNames: pageConditions, modules: MODULES },
    // React's directives mean nothing outside a server; packages begin with them.
    onLog: (level, log, write) => {
      if (log.code !== 'MODULE_LEVEL_DIRECTIVE') write(level, log)
    },
  })
  const { output } = await made.generate(pageOutput)
  await made.close()
  return { code: output[0].code, moduleIds: output[0].moduleIds }
}

/** A font under the name that pages use, for Latin letters: those of other scripts come from the system. */
function readFont(sources: readonly string[]): string {
  return sources
    .map((source) => {
      const path = require.resolve(source)
      const faces = readFileSync(path, 'utf8').match(/\/\*[^*]*\*\/\s*@font-face\s*\{[^}]*\}/g) ?? []
      const latin = faces.filter((face) => /^\/\*\s*[\w-]*?-latin-/.test(face))
      return embedFiles(latin.join('\n').replaceAll(/(font-family:\s*'[^']+?) Variable'/g, "$1'"), filesBeside(path))
    })
    .join('\n')
}

/** The files and packages that answer what pages import. */
function locateModules({ modules = {} }: Library): Record<string, string> {
  return Object.fromEntries(
    Object.entries(modules).map(([specifier, source]) => [
      specifier,
      source.startsWith('.') ? join(import.meta.dirname, source) : source,
    ]),
  )
}

async function makeLibrary(library: Library): Promise<{ code: string; moduleIds: string[] }> {
  if (library.font !== undefined)
    return {
      code: writeStyleScript('', readFont(library.font)),
      moduleIds: library.font.map((source) => require.resolve(source)),
    }
  if (library.styles !== undefined) {
    const source = require.resolve(library.styles)
    return { code: writeStyleScript(source, readFileSync(source, 'utf8')), moduleIds: [source] }
  }
  const entry = `virtual:${library.name}`
  return bundle(entry, [
    {
      name: 'library-entry',
      resolveId: (id) => (id === entry ? id : undefined),
      load: (id) => (id === entry ? writeLibraryEntry({ ...library, modules: locateModules(library) }) : undefined),
    },
    shareLibraries(library),
  ])
}

/** Writes every vendored file into the folder; returns the modules in them, for their licences. */
export async function buildVendor(outDir: string): Promise<{ moduleIds: string[] }> {
  mkdirSync(outDir, { recursive: true })
  const moduleIds: string[] = []
  await Promise.all(
    vendoredFiles.map(async ({ name, entry = '', make }) => {
      if (make === 'copy') {
        const source = require.resolve(entry)
        copyFileSync(source, join(outDir, name))
        moduleIds.push(source)
        return
      }
      const library = libraries.find((candidate) => `${candidate.name}.js` === name)
      const made = library ? await makeLibrary(library) : await bundle(join(import.meta.dirname, entry), [])
      writeFileSync(join(outDir, name), made.code)
      moduleIds.push(...made.moduleIds)
    }),
  )
  return { moduleIds }
}
