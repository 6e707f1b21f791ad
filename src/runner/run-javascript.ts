import { Script } from 'node:vm'
import { z } from 'zod'
import {
  clamp,
  ScoringError,
  textOrJson,
  type ScoringInput,
  type ScoringJob,
  type ScoringResult,
} from '../contract/index.ts'
import { scoreJob, scorers } from '../scoring/index.ts'
import { CodeFailed, runIsolated } from './isolate.ts'

const optionsSchema = z.object({
  code: z.string().optional(),
  transform: z.array(z.string()).optional(),
  check: z.looseObject({ scoringMethod: z.string(), expectedOutput: z.string().optional() }).optional(),
  functionName: z.string().optional(),
  negate: z.boolean(),
  config: z.record(z.string(), z.unknown()).optional(),
})

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
  { isolate, deadlineMs }: { isolate: WebAssembly.Module; deadlineMs: number },
): Promise<ScoringResult> {
  const { code, transform = [], check, functionName, negate, config = {} } = optionsSchema.parse(given)
  const { prompt, vars = {} } = input
  const context = { vars, prompt, config, test: { vars } }
  const run = (body: string, output: unknown) => runIsolated(isolate, { body, input: { output, context }, deadlineMs })
  const score = async (): Promise<ScoringResult> => {
    let output = outputOf(input)
    for (const one of transform) output = await run(toFunctionBody(one, undefined), output)
    if (code === undefined && !check) return { score: 1, notes: textOrJson(output) }
    if (check) return runCheck(check, { ...input, response: textOrJson(output) })
    return toResult(await run(toFunctionBody(code!, functionName), output))
  }
  try {
    const result = await score()
    return negate ? { ...result, score: 1 - result.score } : result
  } catch (error) {
    if (!(error instanceof CodeFailed)) throw error
    return { score: 0, notes: error.message }
  }
}
