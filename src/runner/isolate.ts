import { JSException, QuickJS } from 'quickjs-wasi'
import { z } from 'zod'
import { ScoringError } from '../contract/index.ts'

/** What code may allocate; the engine itself takes about 1 MB. */
const MAX_MEMORY_MB = 128

/** Deeper recursion becomes an error inside; without this limit it would break the engine. */
const MAX_STACK_BYTES = 512 * 1024

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
function watchDeadline(deadlineMs: number): () => boolean {
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

/** The code that runs inside: input and result are JSON text, so that no object crosses the border. */
function wrap(body: string, input: unknown): string {
  return `'use strict';
    globalThis.done = undefined;
    globalThis.console = { log() {}, info() {}, warn() {}, error() {}, debug() {} };
    {
      const { stringify } = JSON, { apply } = Reflect, { then } = Promise.prototype;
      const { output, context } = JSON.parse(${JSON.stringify(JSON.stringify(input))});
      const finish = (value) => { globalThis.done = stringify({ value: value === undefined ? null : value }) };
      const fail = (error) => { globalThis.done = stringify({ error: { name: String(error?.name), message: String(error?.message ?? error) } }) };
      const called = (async () => (function (output, context) {\n${body}\n})(output, context))();
      apply(then, called, [finish, fail]);
    }`
}

interface IsolatedCall {
  /** The body of a function of `output` and `context`. */
  body: string
  input: { output: unknown; context: unknown }
  deadlineMs: number
}

/**
 * Runs JavaScript of a suite in an engine of its own inside WebAssembly: no object of this program is within its reach. Each
 * call gets a new engine, so that it sees nothing of another. Returns what the code returns, as far as JSON can express it.
 */
export async function runIsolated(
  wasm: WebAssembly.Module,
  { body, input, deadlineMs }: IsolatedCall,
): Promise<unknown> {
  const hasPassed = watchDeadline(deadlineMs)
  let isInterrupted = false
  const engine = await QuickJS.create({
    wasm,
    memoryLimit: MAX_MEMORY_MB * 2 ** 20,
    maxStackSize: MAX_STACK_BYTES,
    interruptHandler: () => (isInterrupted ||= hasPassed()),
  })
  let done: unknown
  try {
    engine.evalCode(wrap(body, input)).dispose()
    engine.executePendingJobs()
    done = engine.evalCode('done').consume((handle) => engine.dump(handle))
  } catch (error) {
    if (isInterrupted) throw new DeadlinePassed()
    if (!(error instanceof JSException)) throw error
    const { name, message } = error
    const code = name === 'SyntaxError' ? 'invalid-options' : 'scoring-failed'
    throw new ScoringError(code, `the code cannot be ${name === 'SyntaxError' ? 'read' : 'run'}: ${message}`)
  } finally {
    engine.dispose()
  }
  if (isInterrupted) throw new DeadlinePassed()
  if (typeof done !== 'string')
    throw new ScoringError('scoring-failed', 'the code waits for something that never comes')
  const reply = replySchema.parse(JSON.parse(done))
  if (!('error' in reply)) return reply.value
  const { name, message } = reply.error
  if (isCodeAtFault(reply.error)) throw new ScoringError('scoring-failed', `the code failed: ${message}`)
  throw new CodeFailed(`the code threw ${name}: ${message}`)
}
