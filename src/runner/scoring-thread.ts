import { flushCompileCache } from 'node:module'
import { createContext, Script } from 'node:vm'
import { parentPort } from 'node:worker_threads'
import { z } from 'zod'
import { ScoringError, type ScoringResult, messageOf, type ScoringJob } from '../contract/index.ts'
import { codeTests, codeTestsOptions, scoreJob } from '../scoring/index.ts'
import { runScriptTests } from './code-tests/run-script-tests.ts'
import { DeadlinePassed, readCpuMs, runTool } from './isolate.ts'
import { runJavascript } from './run-javascript.ts'
import { TRIES, type ThreadReply, type ThreadRequest } from './messages.ts'

const optionsSchema = z.object({ holds: z.union([z.string(), z.array(z.string())]) })

/** Evaluates the expressions of the scorer `world`. One that throws does not hold: what it asks for is not there. */
async function runWorldChecks(
  { input, options }: ScoringJob,
  { isolate, deadlineMs }: { isolate: WebAssembly.Module; deadlineMs: number },
): Promise<ScoringResult> {
  const { conversation } = input
  if (!conversation) throw new ScoringError('invalid-options', 'world scores conversations with tools')
  const { world, before } = conversation
  const expressions = [optionsSchema.parse(options).holds].flat()
  const failed: string[] = []
  for (const expression of expressions) {
    const run = await runTool(isolate, {
      code: `return !!(${expression.replace(/;\s*$/, '')}\n)`,
      world,
      args: { before },
      seed: 0,
      now: 0,
      deadlineMs,
    })
    if ('error' in run && run.isFaulty) throw new ScoringError('invalid-options', `world: ${expression}: ${run.error}`)
    if ('error' in run) failed.push(`${expression} (${run.error})`)
    else if (run.reply !== true) failed.push(expression)
  }
  return {
    score: conversation.as === 'tau2' && failed.length > 0 ? 0 : 1 - failed.length / expressions.length,
    notes: failed.length === 0 ? 'everything holds' : `does not hold: ${failed.join('; ')}`,
  }
}

// Written now, where there is such a cache: the thread is ended without notice.
flushCompileCache()

/**
 * `vm` is used only for its timeout: it interrupts whatever the script runs, including a regular expression, without
 * ending the thread.
 */
const sandbox: { work: () => unknown } = { work: () => undefined }
createContext(sandbox)
const callWork = new Script('work()')

/** Not `instanceof Error`: the timeout is thrown with the sandbox's own Error. */
function isTimeout(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT'
}

function runUnderDeadline(deadlineMs: number, run: (timeoutMs: number) => void): void {
  for (const [index, factor] of TRIES.entries()) {
    const before = readCpuMs()
    try {
      run(Math.ceil(deadlineMs * factor))
      return
    } catch (error) {
      const hadCpuTime = !(readCpuMs() - before < deadlineMs / 2)
      if (!isTimeout(error) || hadCpuTime || index === TRIES.length - 1) throw error
    }
  }
}

async function answer({ id, job, deadlineMs, isolate }: ThreadRequest): Promise<ThreadReply> {
  try {
    if ('tool' in job) return { id, run: await runTool(isolate!, { ...job.tool, deadlineMs }) }
    if (isolate && job.scoringMethod === 'world')
      return { id, result: await runWorldChecks(job, { isolate, deadlineMs }) }
    if (isolate && job.scoringMethod === codeTests.name)
      return { id, result: await runScriptTests(isolate, job.input, codeTestsOptions.parse(job.options)) }
    if (isolate) return { id, result: await runJavascript(job, { isolate, deadlineMs }) }
    let scored: Promise<ScoringResult> | undefined
    sandbox.work = () => {
      scored = scoreJob(job)
    }
    runUnderDeadline(deadlineMs, (timeout) => callWork.runInContext(sandbox, { timeout }))
    return { id, result: await scored! }
  } catch (error) {
    if (isTimeout(error) || error instanceof DeadlinePassed) return { id, timedOut: true }
    const code = error instanceof ScoringError ? error.code : 'scoring-failed'
    return { id, timedOut: false, code, message: messageOf(error) }
  }
}

function reply(message: ThreadReply): void {
  parentPort?.postMessage(message)
}

parentPort?.on('message', (request: ThreadRequest) => {
  reply({ id: request.id, began: true })
  void answer(request).then(reply)
})
