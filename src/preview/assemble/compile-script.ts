import { messageOf } from '../../contract/index.ts'
import { compileFunction } from 'node:vm'
import type { CodeFile, CodeKind } from '../extract/code-file.ts'
import { compilers } from './compilers.ts'
import { compileDecorators } from './decorators.ts'

/** Compiled code, or why it could not be compiled. */
export type Compiled = { code: string; isAsync: boolean } | { problem: string; isUnsupported?: boolean }

export type ScriptKind = Extract<CodeKind, 'js' | 'ts' | 'jsx' | 'tsx'>

export function isScriptKind(kind: CodeKind): kind is ScriptKind {
  return kind === 'js' || kind === 'ts' || kind === 'jsx' || kind === 'tsx'
}

const MODULE_SYNTAX =
  /^\s*(?:import\s*(?:[\w{*]|['"])|export\s+(?:default|const|let|var|function|class|async|\{|\*|type|interface|enum))|\bimport\s*\(\s*['"]|\bimport\.meta\b/m

/** Returns true if code imports or exports something, so it cannot be a plain script. */
export function hasModuleSyntax(code: string): boolean {
  return MODULE_SYNTAX.test(code)
}

/** Returns true if code imports Preact and not React: its markup must become Preact's elements. */
export function usesPreact(code: string): boolean {
  return /from\s+['"]preact(?:\/(?:hooks|compat|signals))?['"]/.test(code) && !/from\s+['"]react['"]/.test(code)
}

/** Returns true if code imports Solid: its markup becomes real elements, which a compiler of its own makes. */
export function usesSolid(code: string): boolean {
  return /from\s+['"]solid-js(?:\/\w+)?['"]/.test(code)
}

/** Without types, and with its markup as Solid wants it. */
async function compileSolid(code: string, isTyped: boolean): Promise<string> {
  const { transform } = await compilers.sucrase()
  const plain = isTyped ? transform(code, { transforms: ['typescript', 'jsx'], jsxRuntime: 'preserve' }).code : code
  const compile = await compilers.solid()
  return compile(plain)
}

const FACTORY = '(require, module, exports, importMeta)'

/** Returns the JavaScript engine's syntax error, or `undefined`. Runs nothing. */
function findSyntaxError(code: string): string | undefined {
  try {
    compileFunction(code)
    return undefined
  } catch (error) {
    return messageOf(error)
  }
}

/** Moves the place out of the compiler's message, which ends in `(12:34)`. */
function compileProblem(name: string, error: unknown): string {
  const message = messageOf(error)
  const place = /\((\d+):\d+\)\s*$/.exec(message)
  const words = message.replace(/^Error transforming [^:]*: /, '').replace(/\s*\(\d+:\d+\)\s*$/, '')
  return `${name} cannot be compiled: ${words}${place ? ` at line ${place[1]}` : ''}.`
}

/**
 * Returns a full parser's error about JSX, or `undefined` if it is valid with or without types. The compiler we use is fast because
 * it does not check: it would accept `<h1></h2>`, which every other tool rejects.
 */
async function findMarkupError({
  name,
  kind,
  code,
}: {
  name: string
  kind: ScriptKind
  code: string
}): Promise<string | undefined> {
  if (kind === 'js' || kind === 'ts') return undefined
  const { babelParse } = await compilers.vue()
  const parse = (plugins: ('jsx' | 'typescript' | 'decorators-legacy')[]): unknown =>
    babelParse(code, { sourceType: 'module', allowReturnOutsideFunction: true, plugins })
  try {
    parse(kind === 'tsx' ? ['jsx', 'typescript', 'decorators-legacy'] : ['jsx', 'decorators-legacy'])
    return undefined
  } catch (error) {
    if (kind === 'jsx' && (await findMarkupError({ name, kind: 'tsx', code })) === undefined) return undefined
    return compileProblem(name, error)
  }
}

/** Compiles a script for the page's global scope: removes types and markup, and changes nothing else. */
export async function compileGlobalScript({
  name,
  kind,
  code,
}: Pick<CodeFile, 'name' | 'code'> & { kind: ScriptKind }): Promise<Compiled> {
  const markupError = await findMarkupError({ name, kind, code })
  if (markupError !== undefined) return { problem: markupError }
  try {
    const { transform } = await compilers.sucrase()
    const compiled =
      kind === 'js'
        ? code
        : transform(code, {
            transforms: ['jsx', ...(kind === 'jsx' ? [] : ['typescript' as const])],
            jsxRuntime: 'classic',
            production: true,
          }).code
    return { code: compiled, isAsync: false }
  } catch (error) {
    return { problem: compileProblem(name, error) }
  }
}

/** Compiles a module to the body of a function that takes `require`, `module`, `exports` and `importMeta`. */
export async function compileModule({
  name,
  kind,
  code,
  isSolid = usesSolid(code),
}: Pick<CodeFile, 'name' | 'code'> & {
  kind: ScriptKind
  /** True in a project of Solid, of which not every file imports it. */
  isSolid?: boolean
}): Promise<Compiled> {
  const markupError = await findMarkupError({ name, kind, code })
  if (markupError !== undefined) return { problem: markupError }
  let compiled: string
  try {
    const { transform } = await compilers.sucrase()
    const isTyped = kind === 'ts' || kind === 'tsx'
    const source =
      isSolid && (kind === 'jsx' || kind === 'tsx')
        ? await compileSolid(code, isTyped)
        : await compileDecorators(code, isTyped)
    compiled = transform(source.replaceAll(/\bimport\.meta\b/g, 'importMeta'), {
      transforms: ['jsx', 'imports', ...(isTyped ? ['typescript' as const] : [])],
      ...(usesPreact(code) ? { jsxRuntime: 'automatic', jsxImportSource: 'preact' } : { jsxRuntime: 'classic' }),
      production: true,
      preserveDynamicImport: false,
    }).code
  } catch (error) {
    // Types in a .jsx file are common.
    if (kind === 'js' || kind === 'jsx') {
      const typed = await compileModule({ name, kind: 'tsx', code, isSolid })
      if (!('problem' in typed)) return typed
    }
    return { problem: compileProblem(name, error) }
  }
  const problem = findSyntaxError(`(function ${FACTORY} {${compiled}\n})`)
  if (problem === undefined) return { code: compiled, isAsync: false }
  if (/\bawait\b/.test(compiled) && findSyntaxError(`(async function ${FACTORY} {${compiled}\n})`) === undefined)
    return { code: compiled, isAsync: true }
  return { problem: `${name} cannot be compiled: ${problem}.` }
}

/** Loads the compilers, which takes a third of a second: call it while an answer is still arriving. */
export async function warmUpCompilers(): Promise<void> {
  await compileModule({ name: 'warm-up', kind: 'tsx', code: 'export default () => <p />' })
}

/** Wraps a compiled module in its function. */
export function wrapModule({ code, isAsync }: { code: string; isAsync: boolean }): string {
  return `${isAsync ? 'async ' : ''}function ${FACTORY} {${code}\n}`
}
