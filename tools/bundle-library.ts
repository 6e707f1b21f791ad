/**
 * Bundles the library separately from the program: each entry loads only what it uses, so that some of them run in
 * browsers.
 */
import { isBuiltin } from 'node:module'
import { join } from 'node:path'
import { build, type Plugin, type RolldownOutput } from 'rolldown'
import { bundledFiles } from './bundle.ts'

const entries = {
  index: 'src/index.ts',
  'reading-process': 'src/import/results/reading-process.ts',
  statistics: 'src/statistics/index.ts',
  scoring: 'src/runner/scoring-functions.ts',
  report: 'src/report/index.ts',
  providers: 'src/providers/index.ts',
  vitest: 'src/library/vitest.ts',
}

const NO_REQUIRE = '\0no-require'

/**
 * Replaces required modules that cannot be bundled, which would break browsers and CommonJS bundles. Requiring Node's
 * modules would need `createRequire(import.meta.url)`, which CommonJS does not have. `debug`, which stdlib loads, writes
 * to Node's terminal; `pg-native` is optional.
 */
const externals: Plugin = {
  name: 'externals',
  resolveId(id, importer, { kind }) {
    // The bundler's own `require` is dropped, but not its import, in a chunk that browsers load too.
    if (id === 'node:module' && importer?.endsWith('rolldown/runtime.js')) return NO_REQUIRE
    return kind === 'require-call' && (isBuiltin(id) || id === 'debug' || id === 'pg-native')
      ? `\0${id}.cjs`
      : undefined
  },
  load(id) {
    if (id === NO_REQUIRE)
      return {
        code: "export const createRequire = () => { throw new Error('nothing is required') }",
        moduleSideEffects: false,
      }
    if (!id.startsWith('\0') || !id.endsWith('.cjs')) return undefined
    const name = id.slice(1, -'.cjs'.length)
    if (name === 'debug') return 'module.exports = () => () => undefined'
    if (name === 'pg-native') return "throw new Error('pg-native is not installed')"
    return `module.exports = process.getBuiltinModule('${name}')`
  },
}

/** A browser has no threads: without their code, a bundle for browsers is half as large. */
function withoutThreads(root: string): Plugin {
  const worker = join(root, 'src/runner/scoring-worker.ts')
  return {
    name: 'without-threads',
    load: (id) =>
      id === worker ? 'export const createThreads = () => undefined, findObstacle = async () => undefined' : undefined,
  }
}

/** Bundles the library for Node, and what also runs in browsers module by module, so that bundlers drop what is not used. */
export async function bundleLibrary(root: string, dist: string, embedded: Plugin): Promise<RolldownOutput['output']> {
  const {
    index: _index,
    'reading-process': _reading,
    report: _report,
    providers: _providers,
    vitest: _vitest,
    ...forBrowsers
  } = entries
  const common = {
    cwd: root,
    resolve: { alias: bundledFiles(root) },
    treeshake: {
      moduleSideEffects: (id: string) => (id.startsWith(join(root, 'src')) ? false : undefined),
    },
  }
  const browsers = await build({
    ...common,
    input: forBrowsers,
    platform: 'browser',
    plugins: [withoutThreads(root), embedded, externals],
    output: {
      dir: join(dist, 'library/browser'),
      preserveModules: true,
      comments: { annotation: true, legal: false, jsdoc: false },
    },
  })
  const { output } = await build({
    ...common,
    input: entries,
    platform: 'node',
    // The library exports the simulated client, which the program loads only when needed.
    checks: { ineffectiveDynamicImport: false },
    plugins: [embedded, externals],
    output: {
      dir: join(dist, 'library'),
      // Otherwise they would be in an entry, which would have to export them for its chunks.
      codeSplitting: { groups: [{ name: 'replaced', test: /^\0.*\.cjs$/ }] },
      chunkFileNames: 'chunk-[name]-[hash].js',
      comments: false,
    },
  })
  return [...output, ...browsers.output]
}
