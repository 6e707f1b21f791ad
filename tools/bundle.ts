/** Bundles the program; code that not every command needs is in chunks that are loaded when needed. */
import { join } from 'node:path'
import { build, type Plugin, type RolldownOutput } from 'rolldown'

const entries = {
  cli: 'src/cli/main.ts',
  'reading-process': 'src/import/results/reading-process.ts',
  'page-thread': 'src/preview/compile/page-thread.ts',
  'bundle-process': 'src/preview/packages/bundle-process.ts',
  'results-thread': 'src/server/results/selection/results-thread.ts',
}

/** Packages whose main file cannot be bundled, with the file that can. */
export function bundledFiles(root: string): Record<string, string> {
  return {
    // Vue's build for Node loads a dozen template languages that are not installed.
    'vue/compiler-sfc': join(root, 'node_modules/@vue/compiler-sfc/dist/compiler-sfc.esm-browser.js'),
    // Its main file is UMD, whose requires bundlers do not follow.
    'jsonc-parser': join(root, 'node_modules/jsonc-parser/lib/esm/main.js'),
  }
}

/** Bundles the compilers of pages for benchmaker-previews. */
export async function bundleCompilers(root: string, dist: string): Promise<RolldownOutput['output']> {
  const { output } = await build({
    cwd: root,
    input: { compilers: 'src/preview/assemble/compilers.ts' },
    platform: 'node',
    resolve: { alias: bundledFiles(root) },
    output: { dir: dist, chunkFileNames: 'chunk-[name]-[hash].js', comments: false },
  })
  return output
}

export async function bundleProgram(root: string, dist: string, embedded: Plugin): Promise<RolldownOutput['output']> {
  const { output } = await build({
    cwd: root,
    input: entries,
    platform: 'node',
    plugins: [embedded],
    resolve: { alias: bundledFiles(root) },
    output: {
      dir: dist,
      // Flat: a thread must be next to whichever chunk starts it.
      chunkFileNames: 'chunk-[name]-[hash].js',
      comments: false,
    },
  })
  return output
}
