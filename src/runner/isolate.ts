import { JSException, QuickJS } from 'quickjs-wasi'
import { z } from 'zod'
import { ScoringError, type RunToolCode, type ToolRun } from '../contract/index.ts'

/** What code may allocate; the engine itself takes about 1 MB. */
const MAX_MEMORY_MB = 128

/** Deeper recursion becomes an error inside; without this limit it would break the engine. */
export const MAX_STACK_BYTES = 512 * 1024

/** How much more than the deadline code may take on a machine that gives its thread too little CPU time. */
const MAX_WAIT_FACTOR = 15

const replySchema = z.union([
  z.object({ value: z.unknown() }),
  z.object({ error: z.object({ name: z.string(), message: z.string() }) }),
])

/** The code ran longer than its deadline. */
export class DeadlinePassed extends Error {}

/** The code ran and threw, as `JSON.parse(output)` does on an answer that is no JSON. */
export class CodeFailed extends Error {}

/** CPU time of this thread in milliseconds; Infinity where Node cannot measure it. */
export function readCpuMs(): number {
  if (!('threadCpuUsage' in process)) return Infinity
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

/** Returns whether the deadline has passed: on a busy machine only once the thread had its share of CPU time. */
export function watchDeadline(deadlineMs: number): () => boolean {
  const start = performance.now()
  const cpuBefore = readCpuMs()
  return () => {
    const elapsed = performance.now() - start
    if (elapsed < deadlineMs) return false
    return elapsed > MAX_WAIT_FACTOR * deadlineMs || !(readCpuMs() - cpuBefore < deadlineMs / 2)
  }
}

/** Errors that say nothing about the answer: the code needs something that is not here, or more than it may have. */
function isCodeAtFault({ name, message }: { name: string; message: string }): boolean {
  return (
    name === 'ReferenceError' ||
    name === 'InternalError' ||
    (name === 'RangeError' && /call stack|too large to allocate/.test(message))
  )
}

/** The code that runs inside: what goes in and comes out is JSON text, so that no object crosses the border. */
function wrapProgram({ prelude, parameters, body, result }: Program, input: Readonly<Record<string, unknown>>): string {
  return `'use strict';
    globalThis.done = undefined;
    globalThis.console = { log() {}, info() {}, warn() {}, error() {}, debug() {} };
    {
      const { stringify } = JSON, { apply } = Reflect, { then } = Promise.prototype;
      const { ${parameters} } = JSON.parse(${JSON.stringify(JSON.stringify(input))});
      ${prelude}
      const finish = (value) => {
        try { globalThis.done = stringify({ value: ${result} }) }
        catch (error) { fail({ name: 'InternalError', message: 'what it returns is no JSON: ' + error?.message }) }
      };
      const fail = (error) => { globalThis.done = stringify({ error: { name: String(error?.name), message: String(error?.message ?? error) } }) };
      const called = (async () => (function (${parameters}) {\n${body}\n})(${parameters}))();
      apply(then, called, [finish, fail]);
    }`
}

interface Program {
  /** Runs before the body, out of its reach. */
  prelude: string
  /** The names of the input's fields, which the body has. */
  parameters: string
  body: string
  /** What comes out, as an expression of `value` and the parameters. */
  result: string
}

const scorerProgram = { prelude: '', parameters: 'output, context', result: 'value === undefined ? null : value' }

interface IsolatedCall {
  /** The body of a function of `output` and `context`. */
  body: string
  input: { output: unknown; context: unknown }
  deadlineMs: number
}

type Done = z.output<typeof replySchema>

/** An engine inside WebAssembly: no object of this program is within the reach of its code. */
interface Engine {
  quickjs: QuickJS
  /** All that code inside can change. */
  memory: { buffer: ArrayBuffer }
  hasPassed: () => boolean
  isInterrupted: boolean
}

async function startEngine(wasm: WebAssembly.Module): Promise<Engine> {
  const state = { memory: { buffer: new ArrayBuffer() }, hasPassed: () => false, isInterrupted: false }
  const quickjs = await QuickJS.create({
    wasm,
    wasi: (memory: Engine['memory']) => {
      state.memory = memory
      return {}
    },
    memoryLimit: MAX_MEMORY_MB * 2 ** 20,
    maxStackSize: MAX_STACK_BYTES,
    interruptHandler: () => (state.isInterrupted ||= state.hasPassed()),
  })
  return Object.assign(state, { quickjs })
}

/** Runs JavaScript of a suite. Returns what the code returns, as far as JSON can express it. */
function evaluate(engine: Engine, source: string, deadlineMs: number): Done {
  const { quickjs } = engine
  engine.hasPassed = watchDeadline(deadlineMs)
  let done: unknown
  try {
    quickjs.evalCode(source).dispose()
    quickjs.executePendingJobs()
    done = quickjs.evalCode('done').consume((handle) => quickjs.dump(handle))
  } catch (error) {
    if (engine.isInterrupted) throw new DeadlinePassed()
    if (!(error instanceof JSException)) throw error
    const { name, message } = error
    const code = name === 'SyntaxError' ? 'invalid-options' : 'scoring-failed'
    throw new ScoringError(code, `the code cannot be ${name === 'SyntaxError' ? 'read' : 'run'}: ${message}`)
  }
  if (engine.isInterrupted) throw new DeadlinePassed()
  if (typeof done !== 'string')
    throw new ScoringError('scoring-failed', 'the code waits for something that never comes')
  return replySchema.parse(JSON.parse(done))
}

/** Each call gets a new engine, so that it sees nothing of another. */
async function runProgram(wasm: WebAssembly.Module, source: string, deadlineMs: number): Promise<Done> {
  const engine = await startEngine(wasm)
  try {
    return evaluate(engine, source, deadlineMs)
  } finally {
    engine.quickjs.dispose()
  }
}

/** Free from the start, so that the memory does not grow with a world of up to about 100 KB. */
const ROOM_BYTES = 2 ** 20

/** The engine of the last call, and its whole memory as it was before any code. */
let kept: { engine: Engine; start: Uint8Array } | undefined

/**
 * As `runProgram`, at a fraction of its time: starting an engine takes longer than most tools. Its memory is put back as it
 * was before any code ran, so that no call sees anything of another. An engine whose memory grew, or that was stopped, is
 * not used again.
 */
async function runProgramAgain(wasm: WebAssembly.Module, source: string, deadlineMs: number): Promise<Done> {
  let used = kept
  kept = undefined
  if (!used) {
    const engine = await startEngine(wasm)
    engine.quickjs.evalCode(`'x'.repeat(${ROOM_BYTES})`).dispose()
    used = { engine, start: new Uint8Array(engine.memory.buffer).slice() }
  }
  const { engine, start } = used
  let isReusable = false
  try {
    const done = evaluate(engine, source, deadlineMs)
    isReusable = engine.memory.buffer.byteLength === start.length
    return done
  } finally {
    if (isReusable) {
      new Uint8Array(engine.memory.buffer).set(start)
      kept = used
    } else engine.quickjs.dispose()
  }
}

/** Runs code of an answer's `output` and `context`. */
export async function runIsolated(
  wasm: WebAssembly.Module,
  { body, input, deadlineMs }: IsolatedCall,
): Promise<unknown> {
  const reply = await runProgram(wasm, wrapProgram({ ...scorerProgram, body }, input), deadlineMs)
  if (!('error' in reply)) return reply.value
  const { name, message } = reply.error
  if (isCodeAtFault(reply.error)) throw new ScoringError('scoring-failed', `the code failed: ${message}`)
  throw new CodeFailed(`the code threw ${name}: ${message}`)
}

/** Chance from a seed (mulberry32), and a clock that stands still: the same call has the same reply. */
const TOOL_PRELUDE = `
      {
        let state = seed >>> 0;
        Math.random = () => {
          state = (state + 0x6d2b79f5) >>> 0;
          let mixed = Math.imul(state ^ (state >>> 15), state | 1);
          mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
          return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
        };
        const Clock = Date;
        globalThis.Date = class Date extends Clock {
          constructor(...given) { if (given.length === 0) super(now); else super(...given); }
          static now() { return now; }
        };
      }`

const toolProgram = {
  prelude: TOOL_PRELUDE,
  parameters: 'world, args, seed, now',
  result: '{ world, reply: value === undefined ? null : value }',
}

const toolResultSchema = z.object({ world: z.unknown(), reply: z.unknown() })

/**
 * Runs the code of a tool. What it throws is its reply; code that cannot be used is at fault itself, and so is code that does
 * not end: how fast a machine is must not decide about an agent.
 */
export async function runTool(
  wasm: WebAssembly.Module,
  { code, deadlineMs, ...input }: Parameters<RunToolCode>[0] & { deadlineMs: number },
): Promise<ToolRun> {
  try {
    const reply = await runProgramAgain(wasm, wrapProgram({ ...toolProgram, body: code }, input), deadlineMs)
    if ('value' in reply) return toolResultSchema.parse(reply.value)
    return { error: reply.error.message, isFaulty: isCodeAtFault(reply.error) }
  } catch (error) {
    if (error instanceof DeadlinePassed) return { error: `the tool took longer than ${deadlineMs} ms`, isFaulty: true }
    if (error instanceof ScoringError) return { error: error.message, isFaulty: true }
    throw error
  }
}
