/**
 * A process that asks some of the cells of a run with the real engine, beside others that ask the rest: what a worker
 * does, without the queue. Reads its task as JSON from the command line, prints a line when it is ready, waits for a
 * line on its standard input, and prints what it did as JSON when it ends.
 */
import { createInterface } from 'node:readline'
import { runRequestSchema, type NamedLimits, type RunRequestInput } from '../../src/contract/index.ts'
import { createClient } from '../../src/providers/create-client.ts'
import { createScoring, scoreJob } from '../../src/scoring/index.ts'
import { BudgetReached, noSpending } from '../../src/services/requesting/budget.ts'
import { systemClock } from '../../src/services/requesting/clock.ts'
import { createEngine, processCell } from '../../src/services/engine.ts'
import { createPacing } from '../../src/services/limits/pacing.ts'
import { planningTools, prepareRun, refuseProblems } from '../../src/services/prepare.ts'
import type { RunTools } from '../../src/services/run-tools.ts'
import { openSharedLimits, openStorage } from '../../src/storage/index.ts'

export interface AskingTask {
  connectionString: string
  baseUrl: string
  runId: string
  request: RunRequestInput
  /** Of its provider. */
  limits?: Omit<NamedLimits, 'name'>
  /** US dollars per token. */
  price?: { prompt: number; completion: number }
  /** It takes the open cells whose place in the run has this remainder. */
  share: { of: number; remainder: number }
}

export interface AskingResult {
  asked: number
  isBudgetReached: boolean
}

export const MODEL = 'fake'

async function work(task: AskingTask): Promise<AskingResult> {
  const { connectionString, baseUrl, runId, limits, price, share } = task
  const storage = await openStorage({ connectionString })
  const pacing = createPacing({ clock: systemClock, limitStore: await openSharedLimits({ connectionString }) })
  const plain = createClient({ baseUrl, provider: 'limited' })
  const client = limits ? { ...plain, limits: { name: 'limited', ...limits } } : plain
  const tools: RunTools = {
    storage,
    pacing,
    scoring: createScoring({ scoreInWorker: scoreJob, random: Math.random }),
    clock: systemClock,
    random: Math.random,
    createId: () => runId,
    versions: {},
    loadTokenCounter: async () => (text) => text.split(/\s+/).length,
    connect: () => ({
      clientOf: () => client,
      readPrices: async () => new Map(price ? [[MODEL, price]] : []),
    }),
  }
  const run = await storage.loadRun(runId)
  const request = runRequestSchema.parse(task.request)
  const prepared = await prepareRun({ kind: 'suite', request, suite: run!.testSuiteSnapshot! }, planningTools(tools))
  refuseProblems(prepared)
  const open = (await storage.loadOpenCells(runId)).filter(
    ({ cell }) => Number(/\d+/.exec(cell.testCaseId)) % share.of === share.remainder,
  )
  const engine = await createEngine({ prepared, tools, options: {}, runId, index: 0, spent: noSpending })
  console.log('ready')
  const input = createInterface({ input: process.stdin })
  await new Promise((resolve) => input.once('line', resolve))
  input.close()

  const result: AskingResult = { asked: 0, isBudgetReached: false }
  const cells = open.values()
  const worker = async () => {
    for (const cell of cells) {
      if (result.isBudgetReached) return
      try {
        await processCell(cell, engine)
        result.asked++
      } catch (error) {
        if (!(error instanceof BudgetReached)) throw error
        result.isBudgetReached = true
      }
    }
  }
  await Promise.all(Array.from({ length: engine.cellsAtOnce }, worker))
  await engine.close()
  await pacing.close()
  await client.close()
  await storage.close()
  return result
}

if (import.meta.main) console.log(JSON.stringify(await work(JSON.parse(process.argv[2]!))))
