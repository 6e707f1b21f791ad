/** Bundles the program and the library: few files on the way to a run's first request, the rest in chunks that are loaded when needed. */
import { isBuiltin } from 'node:module'
import { join } from 'node:path'
import {
  rolldown,
  type CodeSplittingGroup,
  type InputOptions,
  type OutputChunk,
  type OutputOptions,
  type Plugin,
  type RolldownOutput,
} from 'rolldown'

/**
 * Node's own modules without what an `import` of them costs: it reads every property, and some load much (that of `node:process` loads
 * the report writer, that of `node:util` threads). So only what is used is read. Undici looks for HTTP/2, which is switched off (`allowH2`).
 */
const builtinModules: Plugin = {
  name: 'builtin-modules',
  resolveId(id, importer = '', { kind }) {
    if (id === 'node:http2' && importer.includes('/undici/')) return '\0no-http2'
    // The program's first file must be understood by a Node that is too old for this; the bundler's own comes before everything.
    const isFirst = importer.endsWith('/cli/main.ts') || importer.startsWith('\0')
    return kind === 'import-statement' && isBuiltin(id) && !isFirst ? `\0${id}` : undefined
  },
  async load(id) {
    if (id === '\0no-http2') return 'export const constants = {}'
    const name = id.slice(1)
    if (!id.startsWith('\0') || !isBuiltin(name)) return undefined
    const { default: _default, ...named }: Record<string, unknown> = await import(name)
    const exported = Object.keys(named).map((key) => `export const ${key} = /* @__PURE__ */ (() => builtin.${key})()`)
    return [
      `const builtin = /* @__PURE__ */ process.getBuiltinModule('${name}')`,
      'export default builtin',
      ...exported,
    ].join('\n')
  },
}

const outputOptions: OutputOptions = {
  format: 'esm',
  // Flat: a thread is found beside whichever chunk asks for it.
  chunkFileNames: 'chunk-[name]-[hash].js',
  comments: false,
}

/** All modules that are loaded with one of ours before it runs. */
function findLoaded(chunks: readonly OutputChunk[], module: string): Set<string> {
  const byFile = new Map(chunks.map((chunk) => [chunk.fileName, chunk]))
  const loaded = new Set<OutputChunk>()
  const visit = (chunk: OutputChunk | undefined): void => {
    if (!chunk || loaded.has(chunk)) return
    loaded.add(chunk)
    for (const file of chunk.imports) visit(byFile.get(file))
  }
  visit(chunks.find(({ moduleIds }) => moduleIds.includes(module)))
  return new Set([...loaded].flatMap(({ moduleIds }) => moduleIds))
}

/**
 * Left to itself the bundler makes a chunk for every set of modules with the same users, forty for a run; to find and link so many
 * takes longer than to read them. So what `run` loads is put together, apart from it what other commands, the threads and the
 * library load without it. A module is in the first group that has it; no group needs a module of a later one.
 */
function groupModules(chunks: readonly OutputChunk[], root: string): CodeSplittingGroup[] {
  const loadedWith = (...modules: string[]) =>
    new Set(modules.flatMap((module) => [...findLoaded(chunks, join(root, 'src', module))]))
  const start = loadedWith('cli/program.ts', 'cli/memory.ts')
  const run = loadedWith('cli/run-command.ts')
  const threads = loadedWith('runner/scoring-thread.ts', 'server/results/results-thread.ts')
  const library = loadedWith('index.ts')
  const storage = loadedWith('storage/sqlite-storage.ts')
  const provider = loadedWith('providers/openai-compatible.ts')
  const finish = loadedWith('cli/finish-runs.ts')
  const groups: [name: string, has: (id: string) => boolean][] = [
    ['basis', (id) => start.has(id) && (threads.has(id) || library.has(id))],
    ['start', (id) => start.has(id)],
    ['shared', (id) => run.has(id) && threads.has(id)],
    ['engine', (id) => run.has(id) && library.has(id)],
    ['run', (id) => run.has(id)],
    ['storage', (id) => storage.has(id)],
    ['provider', (id) => provider.has(id)],
    ['figures', (id) => finish.has(id) && (threads.has(id) || library.has(id))],
    ['finish', (id) => finish.has(id)],
  ]
  return groups.map(([name, test], index) => ({ name, test, priority: groups.length - index }))
}

async function bundle<Result>(
  options: InputOptions,
  work: (build: Awaited<ReturnType<typeof rolldown>>) => Promise<Result>,
): Promise<Result> {
  const build = await rolldown(options)
  try {
    return await work(build)
  } finally {
    await build.close()
  }
}

export async function bundleProgram(root: string, dist: string): Promise<RolldownOutput['output']> {
  const options: InputOptions = {
    input: {
      cli: join(root, 'src/cli/main.ts'),
      index: join(root, 'src/index.ts'),
      'scoring-thread': join(root, 'src/runner/scoring-thread.ts'),
      'results-thread': join(root, 'src/server/results/results-thread.ts'),
    },
    platform: 'node',
    cwd: root,
    plugins: [builtinModules],
    // Nothing happens by importing a module of ours: what one command does not use of it is then not loaded for it either.
    treeshake: { moduleSideEffects: (id) => (id.startsWith(join(root, 'src')) ? false : undefined) },
    resolve: {
      alias: {
        // Its build for Node loads a dozen template languages that are not there.
        'vue/compiler-sfc': join(root, 'node_modules/@vue/compiler-sfc/dist/compiler-sfc.esm-browser.js'),
        // Its main file is UMD, and the files that it requires would not be bundled.
        'jsonc-parser': join(root, 'node_modules/jsonc-parser/lib/esm/main.js'),
      },
    },
    // Brought by whoever wants screenshots; asked for when one is to be taken.
    external: ['playwright-core', '@sparticuz/chromium'],
  }
  const { output: ungrouped } = await bundle(options, (build) => build.generate(outputOptions))
  const groups = groupModules(
    ungrouped.filter((item) => item.type === 'chunk'),
    root,
  )
  const { output } = await bundle(options, (build) =>
    build.write({ ...outputOptions, dir: dist, codeSplitting: { groups } }),
  )
  return output
}
