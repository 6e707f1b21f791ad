/** A process that bundles installed packages for a page: foreign code that may take forever, or all memory. */
import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { dirname, join, sep } from 'node:path'
import { pathToFileURL } from 'node:url'
import { stripVTControlCharacters } from 'node:util'
import type { Plugin } from 'rolldown'
import { messageOf } from '../../contract/index.ts'
import { findLibrary } from '../assemble/known-libraries.ts'
import { embedFiles, pageBundle, pageConditions, pageOutput, writeLibraryEntry } from '../vendor/library-entry.ts'
import { isIncluded, packageName } from './installed.ts'

export interface BundleJob {
  /** The bundler's main file. */
  rolldown: string
  /** The folder that has `node_modules`. */
  folder: string
  /** What a page imports: `name`, `name/sub`, `name/dist/file.js`. */
  specifiers: string[]
}

export interface BundleReply {
  code: string
  /** Vendored libraries that must be there before it. */
  needs: string[]
  /** What could not be bundled, with the reason. */
  failed: Record<string, string>
  /** What it asks for and a page does not have: modules of Node, optional packages. */
  lacks: string[]
}

const ENTRY = 'virtual:packages'
const WANTED = 'wanted:'
const SHARED = 'shared:'
const ABSENT = 'absent:'

/** A page has one of each, whoever imports it: hooks and contexts of two copies do not know each other. */
const ONLY_ONE = /^(?:react|react-dom|vue|preact|solid-js|svelte|three)$/

function readManifest(folder: string): { peerDependencies?: Record<string, string> } | undefined {
  try {
    return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  } catch {
    return undefined
  }
}

/** Whether the package that a file belongs to leaves it to its users to bring another. */
function isPeer(name: string, file: string | undefined): boolean {
  for (let folder = dirname(file ?? ''); folder.includes('node_modules'); folder = dirname(folder)) {
    const manifest = readManifest(folder)
    if (manifest?.peerDependencies && name in manifest.peerDependencies) return true
    if (dirname(folder).endsWith('node_modules')) break
  }
  return false
}

/** Takes the library that is in the page, for `import x from` as for `import { x } from`. */
function writeShared(specifier: string): string {
  return `const library = ${findLibrary(specifier)!.value}
const own = library.default
const isSame = own && own !== library && Object.keys(library).every((name) => name === 'default' || name in Object(own))
module.exports = isSame ? own : library`
}

/** Reports what a page cannot have as blocked when it is used, and only then. */
function writeAbsent(name: string): string {
  return `const name = ${JSON.stringify(name)}
function refuse() {
  document.dispatchEvent(new SecurityPolicyViolationEvent('securitypolicyviolation', { blockedURI: name, effectiveDirective: 'script-src' }))
  throw new Error(name + ' is not in a page')
}
module.exports = new Proxy(function () {}, {
  get: (target, key) => (typeof key === 'symbol' || key === '__esModule' ? undefined : refuse()),
  apply: refuse,
  construct: refuse,
})`
}

const files = ['.jpg', '.jpeg', '.gif', '.webp', '.avif', '.svg', '.woff2', '.ttf', '.woff'] as const
const moduleTypes = {
  ...pageBundle.moduleTypes,
  ...Object.fromEntries(files.map((extension) => [extension, 'dataurl' as const])),
  '.wasm': 'empty' as const,
  '.node': 'empty' as const,
  '.md': 'text' as const,
  '.txt': 'text' as const,
}

/** What the bundler says, in one line and without paths of this machine. */
function describeProblem(error: unknown, root: string): string {
  const text = stripVTControlCharacters(messageOf(error)).replaceAll(`${root}${sep}node_modules${sep}`, '')
  const line = text.split('\n').find((one) => one.trim() !== '' && !one.startsWith('Build failed')) ?? text
  return line
    .replace(/^\[[A-Z_]+\]\s*/, '')
    .replace(/\.$/, '')
    .slice(0, 300)
}

async function bundle({ rolldown: bundler, folder, specifiers }: BundleJob): Promise<BundleReply> {
  const { rolldown }: typeof import('rolldown') = await import(pathToFileURL(bundler).href)
  const root = realpathSync(folder)
  const isInside = (path: string) => path.startsWith(`${root}${sep}`)

  const attempt = async (wanted: string[]): Promise<Omit<BundleReply, 'failed'>> => {
    const needs = new Set<string>()
    const lacks = new Set<string>()
    let refusal: Error | undefined
    const refuse = (reason: string): Error => (refusal ??= new Error(reason))
    const packages: Plugin = {
      name: 'packages',
      async resolveId(id, importer, options) {
        if (id === ENTRY || id.startsWith(SHARED) || id.startsWith(ABSENT)) return id
        const from = importer === undefined || importer === ENTRY ? join(root, 'package.json') : importer
        if (id.startsWith(WANTED)) {
          const specifier = id.slice(WANTED.length)
          const found = await this.resolve(specifier, from, { skipSelf: true }).catch(() => null)
          if (found && isInside(found.id)) return found
          // An address of a CDN names any file of the package, which its `exports` may not.
          const path = join(root, 'node_modules', specifier)
          const file = [path, `${path}.js`, `${path}.mjs`].find(
            (one) => isInside(one) && existsSync(one) && statSync(one).isFile(),
          )
          if (file === undefined) throw refuse(`${specifier} is not in the package`)
          return realpathSync(file)
        }
        if (/^[./\0]/.test(id) || /^[a-z]:[\\/]/i.test(id)) return null
        const name = packageName(id)
        if (name !== undefined && findLibrary(id) && isIncluded(name)) {
          if (ONLY_ONE.test(name) || isPeer(name, from) || !existsSync(join(root, 'node_modules', name))) {
            needs.add(findLibrary(id)!.vendor)
            return SHARED + id
          }
        }
        const found = await this.resolve(id, from, { ...options, skipSelf: true })
        if (found && !found.external && !isBuiltin(found.id)) return found
        lacks.add(isBuiltin(id) ? `node:${id.replace(/^node:/, '')}` : id)
        return { id: ABSENT + id, moduleSideEffects: false }
      },
      load(id) {
        if (id === ENTRY)
          return writeLibraryEntry({
            modules: Object.fromEntries(wanted.map((specifier) => [specifier, WANTED + specifier])),
          })
        if (id.startsWith(SHARED)) return { code: writeShared(id.slice(SHARED.length)), moduleType: 'js' }
        if (id.startsWith(ABSENT)) return { code: writeAbsent(id.slice(ABSENT.length)), moduleType: 'js' }
        const path = id.replace(/[?#].*$/, '')
        if (/^[^\0]*[\\/]/.test(path) && !isInside(path)) throw refuse('it asks for a file outside of the packages')
        if (!path.endsWith('.css')) return null
        const css = embedFiles(readFileSync(path, 'utf8'), (name) => {
          const beside = join(dirname(path), name)
          return isInside(beside) && existsSync(beside) ? readFileSync(beside) : undefined
        })
        return {
          code: `export default previewModules.addStyle(${JSON.stringify(css)})`,
          moduleType: 'js',
          moduleSideEffects: true,
        }
      },
    }
    const made = await rolldown({
      ...pageBundle,
      input: ENTRY,
      cwd: root,
      tsconfig: false,
      plugins: [packages],
      resolve: { conditionNames: pageConditions },
      moduleTypes,
      transform: { define: { ...pageBundle.transform.define, global: 'globalThis' } },
      onLog: () => undefined,
    })
    const { output } = await made
      .generate(pageOutput)
      .catch((error: unknown) => {
        throw refusal ?? error
      })
      .finally(() => made.close())
    // Run when a module of the page first asks for it: all libraries are there then, wherever the page loads them.
    return {
      code: `globalThis.previewPackages = function () {\n${output[0].code}\n}`,
      needs: [...needs],
      lacks: [...lacks],
    }
  }

  const failed: Record<string, string> = {}
  const fail = (specifier: string, error: unknown): void => {
    failed[specifier] = describeProblem(error, root)
  }
  const whole = await attempt(specifiers).catch(() => undefined)
  if (whole) return { ...whole, failed }
  for (const specifier of specifiers) await attempt([specifier]).catch((error: unknown) => fail(specifier, error))
  const good = specifiers.filter((specifier) => !(specifier in failed))
  const rest = good.length === 0 ? { code: '', needs: [], lacks: [] } : await attempt(good)
  return { ...rest, failed }
}

/** Bundled, what this file shares with others may lie in its chunk: those load it outside a process, where it does nothing. */
if (process.send && process.argv[1]?.includes('bundle-process'))
  process.once('message', (job: BundleJob) => {
    bundle(job).then(
      (reply) => process.send?.(reply),
      (error: unknown) => process.send?.({ problem: messageOf(error) }),
    )
  })
