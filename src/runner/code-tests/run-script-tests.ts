import { stripTypeScriptTypes } from 'node:module'
import { JSException, QuickJS, type JSValueHandle } from 'quickjs-wasi'
import { ScoringError, messageOf, type ScoringInput, type ScoringResult } from '../../contract/index.ts'
import { buildProgram, listTests, type CodeTestsOptions } from '../../scoring/index.ts'
import { MAX_STACK_BYTES, watchDeadline } from '../isolate.ts'
import { HARNESS, PARAMETERS } from './harness.ts'
import { summarize, type TestOutcome } from './summarize.ts'

declare module 'node:module' {
  /** Its types only know what removes types; enums are more than that. */
  // oxlint-disable-next-line no-shadow
  function stripTypeScriptTypes(code: string, options: { mode: 'transform' }): string
}

/** What Node has and the isolate has not: an answer that needs it says nothing about itself. */
const MISSING =
  /^'?(setTimeout|setInterval|setImmediate|Intl|URL|URLSearchParams|TextEncoder|TextDecoder|Buffer|process|structuredClone|fetch|performance|window|document|module \S+)'? is not defined/

/** Script code: imports and exports of a module have no meaning here. */
function toScript(code: string): string {
  return code
    .replaceAll(/^[ \t]*export[ \t]+default[ \t]+(?=(?:async[ \t]+)?function\b|class\b)/gm, '')
    .replaceAll(/^[ \t]*export[ \t]+default[ \t]+/gm, 'module.exports = ')
    .replaceAll(/^[ \t]*export[ \t]+(?=(?:async[ \t]+)?function\b|class\b|const\b|let\b|var\b)/gm, '')
    .replaceAll(/^[ \t]*export[ \t]*\{[^}]*\}[ \t]*;?/gm, '')
    .replaceAll(/^[ \t]*import[ \t]+\*[ \t]+as[ \t]+(\w+)[ \t]+from[ \t]+(["'][^"']+["'])/gm, 'const $1 = require($2)')
    .replaceAll(/^[ \t]*import[ \t]+(\{[^}]*\})[ \t]+from[ \t]+(["'][^"']+["'])/gm, 'const $1 = require($2)')
    .replaceAll(/^[ \t]*import[ \t]+(\w+)[ \t]+from[ \t]+(["'][^"']+["'])/gm, 'const $1 = require($2)')
}

/** Node calls it experimental in a warning, which would stand in the middle of the terminal's output. */
function stripTypes(code: string): string {
  const { emitWarning } = process
  process.emitWarning = () => undefined
  try {
    return stripTypeScriptTypes(code, { mode: 'transform' })
  } finally {
    process.emitWarning = emitWarning
  }
}

interface Script {
  program: string
  test: string
  entryPoint: string | undefined
}

interface Limits {
  deadlineMs: number
  memoryMb: number
}

/** The test as a function whose parameters are the harness; a block inside may declare the same names. */
function wrapTest(test: string): string {
  return `(async function (${PARAMETERS.join(', ')}) { {\n${test}\n} })`
}

/** Evaluates the answer, then the test: it passes if it ends without an error. No value of the answer decides that. */
async function runTest(
  wasm: WebAssembly.Module,
  { program, test, entryPoint }: Script,
  limits: Limits,
): Promise<TestOutcome> {
  const hasPassed = watchDeadline(limits.deadlineMs)
  let isInterrupted = false
  const engine = await QuickJS.create({
    wasm,
    memoryLimit: limits.memoryMb * 2 ** 20,
    maxStackSize: MAX_STACK_BYTES,
    interruptHandler: () => (isInterrupted ||= hasPassed()),
  })
  let phase: 'test' | 'answer' = 'test'
  try {
    const harness = engine.evalCode(HARNESS)
    const run = engine.evalCode(wrapTest(test))
    phase = 'answer'
    engine.evalCode(program).dispose()
    engine.executePendingJobs()
    const candidate = findEntry(engine, entryPoint)
    const tools = ['assert', 'expect', 'require', 'console', 'test', 'test', 'describe'].map((name) =>
      harness.getProp(name),
    )
    await settle(engine, engine.callFunction(run, engine.undefined, ...tools, candidate))
    await settle(engine, engine.callFunction(harness.getProp('settle'), engine.undefined))
    return isInterrupted ? { passed: false, reason: 'it did not end in time' } : { passed: true }
  } catch (error) {
    if (isInterrupted) return { passed: false, reason: 'it did not end in time' }
    if (!(error instanceof JSException) && !(error instanceof Rejection)) throw error
    const { name, message } = error
    if (phase === 'test' && name === 'SyntaxError')
      throw new ScoringError('invalid-options', `a test cannot be read: ${message}`)
    const missing = name === 'ReferenceError' ? MISSING.exec(message)?.[1] : undefined
    if (missing !== undefined)
      throw new ScoringError('scoring-failed', `the code needs ${missing}, which the sandbox does not have`)
    return { passed: false, reason: name === 'AssertionError' ? message : `${name}: ${message}` }
  } finally {
    engine.dispose()
  }
}

/** An async test was rejected. */
class Rejection extends Error {}

async function settle(engine: QuickJS, promise: JSValueHandle): Promise<void> {
  const settled: Awaited<ReturnType<QuickJS['resolvePromise']>>[] = []
  void engine.resolvePromise(promise).then((outcome) => settled.push(outcome))
  engine.executePendingJobs()
  // What the engine reports arrives with the next turns of this side's own queue.
  for (let turn = 0; turn < 5; turn++) await Promise.resolve()
  const [outcome] = settled
  if (outcome === undefined) throw asRejection('Error', 'it waits for something that never comes')
  if (!('error' in outcome)) return
  const thrown = outcome.error
  if (engine.typeof(thrown) !== 'object') throw asRejection('Error', String(engine.dump(thrown)))
  const [name, message] = ['name', 'message'].map((key) => String(engine.dump(thrown.getProp(key))))
  throw asRejection(name!, message!)
}

function asRejection(name: string, message: string): Rejection {
  return Object.assign(new Rejection(message), { name })
}

/** The function that the tests call: a global of the script, or an export. */
function findEntry(engine: QuickJS, entryPoint: string | undefined): JSValueHandle {
  if (entryPoint === undefined) return engine.undefined
  const exported = `typeof exports === 'object' && exports !== null ? exports.${entryPoint} : undefined`
  const own = engine.evalCode(
    `typeof ${entryPoint} !== 'undefined' ? ${entryPoint} : ((exports) => typeof exports === 'function' && (exports.name === '' || exports.name === '${entryPoint}') ? exports : ${exported})(module.exports)`,
  )
  if (own === undefined || engine.typeof(own) === 'undefined')
    throw asRejection('ReferenceError', `the answer does not define ${entryPoint}`)
  engine.setProp(engine.global, entryPoint, own)
  return own
}

/** Scores an answer in JavaScript or TypeScript by its tests, each with a new engine. */
export async function runScriptTests(
  wasm: WebAssembly.Module,
  input: ScoringInput,
  { language, tests, entryPoint, seconds, memoryMb }: CodeTestsOptions,
): Promise<ScoringResult> {
  const all = listTests(tests)
  let program = toScript(buildProgram(input.response, { language, entryPoint, prompt: input.prompt }))
  let scripts = all
  if (language === 'typescript') {
    scripts = all.map(toScript)
    try {
      scripts = scripts.map(stripTypes)
    } catch (error) {
      throw new ScoringError('invalid-options', `a test cannot be read: ${messageOf(error)}`, { cause: error })
    }
    try {
      program = stripTypes(program)
    } catch (error) {
      return { score: 0, notes: `the answer is no TypeScript: ${messageOf(error)}` }
    }
  }
  const outcomes: TestOutcome[] = []
  for (const test of scripts)
    outcomes.push(await runTest(wasm, { program, test, entryPoint }, { deadlineMs: seconds * 1000, memoryMb }))
  return summarize(outcomes)
}
