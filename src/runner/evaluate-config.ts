import { extname } from 'node:path'
import { InputError, messageOf } from '../contract/index.ts'

const DEADLINE_MS = 5000

/** What surrounds the code: no Node, no files, and of the environment only the names. */
const BEFORE = `
const module = { exports: {} };
let exports = module.exports;
const __dirname = '.', __filename = 'promptfooconfig.js';
const process = { env: new Proxy({}, { get: (_, name) => typeof name === 'string' ? '{{env.' + name + '}}' : undefined }), argv: [], cwd: () => '.' };
const require = (name) => {
  if (name === 'dotenv') return { config() {} };
  throw new TypeError('it loads ' + name + ', and only the file itself is evaluated');
};
`

/** Functions cannot leave the isolate: those that check an answer become their text, all others a file of code. */
const AFTER = `
const write = (value, key, depth) => {
  if (depth > 100) throw new TypeError('it contains itself');
  if (typeof value === 'function') return key === 'value' ? 'return (' + String(value) + ')(output, context)' : 'file://function-of-the-config.js';
  if (Array.isArray(value)) return value.map((item) => write(item, key, depth + 1));
  if (value instanceof RegExp) return String(value);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, write(item, name, depth + 1)]));
};
return Promise.resolve(module.exports.default ?? module.exports).then((value) => write(value, '', 0));
`

async function stripTypes(source: string): Promise<string> {
  const { stripTypeScriptTypes } = await import('node:module')
  return stripTypeScriptTypes(source)
}

/** The text of a module as the body of a function. */
function toBody(source: string): string {
  const loaded = /^\s*import\s+(?:[^'"]*?\bfrom\s*)?['"]([^'"]+)['"]/m.exec(source)?.[1]
  if (loaded !== undefined) throw new Error(`it loads ${loaded}, and only the file itself is evaluated`)
  const own = source
    .replace(/^\s*export\s+default\b/m, 'module.exports =')
    .replaceAll(/^\s*export\s+(?=const|let|var|function|async|class)/gm, '')
  return `${BEFORE}\n${own}\n${AFTER}`
}

/** Evaluates a config written in JavaScript or TypeScript in the isolate, for those who allow code. */
export async function evaluateConfig(source: string, file: string): Promise<unknown> {
  try {
    const plain = /^\.[cm]?ts$/.test(extname(file)) ? await stripTypes(source) : source
    const [{ readIsolateWasm }, { runIsolated }] = await Promise.all([
      import('./isolate-wasm.ts'),
      import('./isolate.ts'),
    ])
    const wasm = await WebAssembly.compile(readIsolateWasm())
    return await runIsolated(wasm, {
      body: toBody(plain),
      input: { output: null, context: null },
      deadlineMs: DEADLINE_MS,
    })
  } catch (error) {
    const reason =
      error instanceof Error && error.message === '' ? `it takes longer than ${DEADLINE_MS / 1000} s` : messageOf(error)
    throw new InputError(`${file}: cannot be evaluated here: ${reason}. ${howToWrite(file)}`, { cause: error })
  }
}

function howToWrite(file: string): string {
  return `Write it as JSON with: node -e "import('./${file.split(/[/\\]/).at(-1)}').then((config) => console.log(JSON.stringify(config.default)))" > promptfooconfig.json`
}
