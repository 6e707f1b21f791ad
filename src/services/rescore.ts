import { InputError, type RunResult } from '../contract/index.ts'
import { readAnswer } from './answer-outcome.ts'
import { scoreCell, startEngine, type Engine, type EngineTools, type OpenCell, type RunSettings } from './engine.ts'

const CELLS_AT_ONCE = 16

export async function scoreStored(answered: Required<OpenCell>[], engine: Engine): Promise<void> {
  for (let start = 0; start < answered.length; start += CELLS_AT_ONCE)
    await Promise.all(
      answered.slice(start, start + CELLS_AT_ONCE).map(async ({ cell, answer }) => {
        const score = await scoreCell(cell, answer, engine)
        await engine.tools.storage.saveScore(cell, score)
        engine.context.emit({ type: 'cell-scored', cell, score })
      }),
    )
}

/** Scores stored answers again, by the suite given; the models are not asked, only judges are. */
export async function rescoreRun(runId: string, settings: RunSettings, tools: EngineTools): Promise<RunResult> {
  const { storage } = tools
  const run = await storage.loadRun(runId)
  if (!run) throw new InputError(`there is no run ${runId}`)
  const engine = startEngine(settings, tools, 0)
  const answered = run.results.flatMap((result) => {
    const { testCaseId, modelId } = result
    const answer = engine.testCases.has(testCaseId) ? readAnswer(result) : undefined
    return answer ? [{ cell: { runId, testCaseId, modelId }, answer }] : []
  })
  await scoreStored(answered, engine)
  return (await storage.loadRun(runId))!
}
