import { constants, createContext, Script } from 'node:vm'
import { z } from 'zod'
import { ScoringError, type ScoringInput, type ScoringJob, type ScoringResult } from '../contract/index.ts'
import { scoreJob, scorers } from '../scoring/index.ts'

const optionsSchema = z.object({
  code: z.string().optional(),
  transform: z.array(z.string()).optional(),
  check: z.looseObject({ scoringMethod: z.string(), expectedOutput: z.string().optional() }).optional(),
  functionName: z.string().optional(),
  negate: z.boolean(),
  config: z.record(z.string(), z.unknown()).optional(),
})

const replySchema = z.union([
  z.object({ value: z.unknown() }),
  z.object({ error: z.object({ name: z.string(), message: z.string() }) }),
])

/** Runs a script and throws the runtime's own timeout error at the deadline. */
export type RunUnderDeadline = (run: (timeoutMs: number) => void) => void

/** promptfoo's form: with tool calls and no text, the calls in OpenAI's format. */
function outputOf({ response, toolCalls = [] }: ScoringInput): unknown {
  if (response.trim() !== '' || toolCalls.length === 0) return response
  return toolCalls.map((call) => ({
    type: 'function',
    function: {
      name: call.name,
      arguments: typeof call.arguments === 'string' ? call.arguments : JSON.stringify(call.arguments ?? {}),
    },
  }))
}

/** The code as the body of a function of output and context. */
function toFunctionBody(code: string, functionName: string | undefined): string {
  const text = code.trim().replace(/;+$/, '')
  if (/\bmodule\.exports\b|^\s*export\s+default\b/m.test(text)) {
    const chosen = functionName === undefined ? 'undefined' : JSON.stringify(functionName)
    return [
      'const module = { exports: {} };',
      `${text.replace(/^\s*export\s+default\b/m, 'module.exports =')};`,
      `const called = ${chosen} === undefined ? (module.exports.default ?? module.exports) : module.exports[${chosen}];`,
      'return typeof called === "function" ? called(output, context) : called;',
    ].join('\n')
  }
  if (text.includes('\n')) return text
  // One line: an expression, perhaps after declarations.
  if (!/^(?:const|let|var)\s/.test(text)) return returnAfter(text, -1)
  const semicolons = [...text.matchAll(/;/g)].map(({ index }) => index).toReversed()
  const bodies = semicolons.map((index) => returnAfter(text, index))
  return bodies.find(isFunctionBody) ?? text
}

function returnAfter(text: string, index: number): string {
  return `${text.slice(0, index + 1)} return (${text.slice(index + 1)}\n)`
}

/** Only compiles it. A semicolon inside a text is not the end of a statement, and what follows it is no expression. */
function isFunctionBody(body: string): boolean {
  try {
    void new Script(`(function () {${body}\n})`)
    return true
  } catch {
    return false
  }
}

/**
 * Runs a function body in a context of its own: no Node, no module, no `eval`. Everything goes in and out as JSON text,
 * so that no object of this thread, and with it no way to `process`, is within reach of the code.
 */
function runBody(
  body: string,
  input: { output: unknown; context: unknown },
  runUnderDeadline: RunUnderDeadline,
): unknown {
  const source = `'use strict';
    let done;
    {
      const { output, context } = JSON.parse(${JSON.stringify(JSON.stringify(input))});
      const { stringify } = JSON;
      const quiet = () => {};
      globalThis.console = { log: quiet, info: quiet, warn: quiet, error: quiet, debug: quiet };
      const finish = (value) => { done = stringify({ value: value === undefined ? null : value }) };
      const fail = (error) => { done = stringify({ error: { name: String(error?.name), message: String(error?.message ?? error) } }) };
      (async () => (function (output, context) {\n${body}\n})(output, context))().then(finish, fail);
    }`
  let script: Script
  try {
    script = new Script(source)
  } catch (error) {
    throw new ScoringError(
      'invalid-options',
      `the code cannot be read: ${error instanceof Error ? error.message : ''}`,
      {
        cause: error,
      },
    )
  }
  let done: unknown
  runUnderDeadline((timeout) => {
    const context = createContext(constants.DONT_CONTEXTIFY, {
      codeGeneration: { strings: false, wasm: false },
      // Without it, the deadline would not stop promises.
      microtaskMode: 'afterEvaluate',
    })
    script.runInContext(context, { timeout })
    done = new Script('done').runInContext(context)
  })
  if (typeof done !== 'string')
    throw new ScoringError('scoring-failed', 'the code waits for something that never comes')
  const reply = replySchema.parse(JSON.parse(done))
  if (!('error' in reply)) return reply.value
  const { name, message } = reply.error
  // Not the answer's fault: the code needs something that is not here, such as require.
  if (name === 'ReferenceError') throw new ScoringError('scoring-failed', `the code failed: ${message}`)
  throw new CodeFailed(`the code threw ${name}: ${message}`)
}

/** The code ran and rejected the answer by throwing, as `JSON.parse(output)` does. */
class CodeFailed extends Error {}

function clamp(score: number): number {
  return Math.min(1, Math.max(0, score))
}

const gradeSchema = z.looseObject({
  pass: z.boolean().optional(),
  score: z.number().optional(),
  reason: z.string().optional(),
})

function toResult(value: unknown): ScoringResult {
  if (typeof value === 'boolean') return { score: value ? 1 : 0, notes: `the code returned ${value}` }
  if (typeof value === 'number') {
    const note = value < 0 || value > 1 ? `, counted as ${clamp(value)}` : ''
    return { score: clamp(value), notes: `the code returned ${value}${note}` }
  }
  const { data } = gradeSchema.safeParse(value)
  const score = data?.score ?? (data?.pass === undefined ? undefined : Number(data.pass))
  if (score === undefined)
    throw new ScoringError(
      'scoring-failed',
      `the code returned ${JSON.stringify(value)?.slice(0, 100)}; it must return true, false, a number or { pass, score, reason }`,
    )
  return { score: clamp(score), ...(data?.reason !== undefined && { notes: data.reason }) }
}

function toText(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
}

/** Scores with one of the built-in methods; its options have not been read yet. */
async function runCheck(
  { scoringMethod, expectedOutput, ...fields }: NonNullable<z.output<typeof optionsSchema>['check']>,
  input: ScoringInput,
): Promise<ScoringResult> {
  const scorer = scorers.find(({ name }) => name === scoringMethod)
  const options = scorer?.options.safeParse(fields)
  if (!scorer || !options?.success)
    throw new ScoringError(
      'invalid-options',
      `the check ${scoringMethod} cannot be used: ${options?.error?.issues[0]?.message ?? 'there is no such method'}`,
    )
  const { expectedOutput: _own, ...rest } = input
  return scoreJob({
    scoringMethod,
    input: { ...rest, ...(expectedOutput !== undefined && { expectedOutput }) },
    options: options.data,
  })
}

/** Scores an answer with the code of a suite. */
export async function runJavascript(
  { input, options: given }: ScoringJob,
  runUnderDeadline: RunUnderDeadline,
): Promise<ScoringResult> {
  const { code, transform = [], check, functionName, negate, config = {} } = optionsSchema.parse(given)
  const { prompt, vars = {} } = input
  const context = { vars, prompt, config, test: { vars } }
  const run = (body: string, output: unknown) => runBody(body, { output, context }, runUnderDeadline)
  const score = async (): Promise<ScoringResult> => {
    let output = outputOf(input)
    for (const one of transform) output = run(toFunctionBody(one, undefined), output)
    if (code === undefined && !check) return { score: 1, notes: toText(output) }
    if (check) return runCheck(check, { ...input, response: toText(output) })
    return toResult(run(toFunctionBody(code!, functionName), output))
  }
  try {
    const result = await score()
    return negate ? { ...result, score: 1 - result.score } : result
  } catch (error) {
    if (!(error instanceof CodeFailed)) throw error
    return { score: 0, notes: error.message }
  }
}
