/** Inlines the files that some of our modules read at run time, so that a bundle needs no other files. */
import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { build, type Plugin } from 'rolldown'
import { pageTexts } from '../src/providers/demo/page-texts.ts'

/** A thread gets only texts of many pages: with a language to detect they are unscored, for a third of the script's size. */
const NO_LANGUAGES = `
export const languageCode = (code) => code
export const detectLanguage = () => { throw new Error('the language of so long a text is not detected') }
`

/** The scoring thread as one script, for `new Worker(script, { eval: true })`. */
async function bundleThread(root: string): Promise<{ code: string; moduleIds: string[] }> {
  const { output } = await build({
    input: join(root, 'src/runner/scoring-thread.ts'),
    cwd: root,
    platform: 'node',
    write: false,
    plugins: [
      {
        name: 'no-languages',
        load: (id) => (id === join(root, 'src/scoring/instructions/detect-language.ts') ? NO_LANGUAGES : undefined),
      },
    ],
    output: { format: 'cjs', minify: true, comments: false, codeSplitting: false },
  })
  return output[0]
}

/** The engine of the isolate as compressed text: bundles of users do not contain files. */
function embedIsolate(): string {
  const wasm = readFileSync(createRequire(import.meta.url).resolve('quickjs-wasi/quickjs.wasm'))
  return `const text = '${brotliCompressSync(wasm).toString('base64')}'
export const readIsolateWasm = () => process.getBuiltinModule('node:zlib').brotliDecompressSync(Buffer.from(text, 'base64'))`
}

/** Loads the compilers from benchmaker-previews, in the thread that knows where it is. */
const PREVIEWS_COMPILERS = `
import { pathToFileURL } from 'node:url'
import { workerData } from 'node:worker_threads'
export const { compilers } = workerData?.previews ? await import(pathToFileURL(workerData.previews + '/compilers.js').href) : {}
`

/** The plugin that inlines them, and the modules of which they are made. */
export async function embedModules(root: string): Promise<{ plugin: Plugin; moduleIds: string[] }> {
  const { version }: { version: string } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const thread = await bundleThread(root)
  const embedded = new Map([
    [join(root, 'src/runner/thread-source.ts'), `export const threadSource = ${JSON.stringify(thread.code)}`],
    [join(root, 'src/runner/isolate-wasm.ts'), embedIsolate()],
    [join(root, 'src/version.ts'), `export const version = ${JSON.stringify(version)}`],
    [join(root, 'src/providers/demo/page-texts.ts'), `export const pageTexts = ${JSON.stringify(pageTexts)}`],
    [join(root, 'src/preview/assemble/compilers.ts'), PREVIEWS_COMPILERS],
  ])
  for (const file of embedded.keys())
    if (!existsSync(file)) throw new Error(`${file} is to be embedded, but is not there`)
  return {
    plugin: { name: 'embedded-modules', load: (id) => embedded.get(id) },
    moduleIds: thread.moduleIds,
  }
}
