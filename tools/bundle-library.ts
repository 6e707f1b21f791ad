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
  statistics: 'src/statistics/index.ts',
  scoring: 'src/runner/scoring-functions.ts',
  report: 'src/report/index.ts',
  providers: 'src/providers/index.ts',
}

/**
 * Replaces required modules that cannot be bundled, which would break browsers and CommonJS bundles. Requiring Node's
 * modules would need `createRequire(import.meta.url)`, which CommonJS does not have. `debug`, which stdlib loads, writes
 * to Node's terminal; `pg-native` is optional.
 */
const externals: Plugin = {
  name: 'externals',
  resolveId(id, _importer, { kind }) {
    return kind === 'require-call' && (isBuiltin(id) || id === 'debug' || id === 'pg-native')
      ? `\0${id}.cjs`
      : undefined
  },
  load(id) {
    if (!id.startsWith('\0') || !id.endsWith('.cjs')) return undefined
    const name = id.slice(1, -'.cjs'.length)
    if (name === 'debug') return 'module.exports = () => () => undefined'
    if (name === 'pg-native') return "throw new Error('pg-native is not installed')"
    return `module.exports = process.getBuiltinModule('${name}')`
  },
}

export async function bundleLibrary(root: string, dist: string, embedded: Plugin): Promise<RolldownOutput['output']> {
  const { output } = await build({
    cwd: root,
    input: entries,
    platform: 'node',
    // The library exports the simulated client, which the program loads only when needed.
    checks: { ineffectiveDynamicImport: false },
    plugins: [embedded, externals],
    resolve: { alias: bundledFiles(root) },
    treeshake: { moduleSideEffects: (id) => (id.startsWith(join(root, 'src')) ? false : undefined) },
    output: {
      dir: join(dist, 'library'),
      chunkFileNames: 'chunk-[name]-[hash].js',
      comments: false,
    },
  })
  return output
}
