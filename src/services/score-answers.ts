import { ScoringError, type CellResult, type RunResult, type Suite } from '../contract/index.ts'
import { compileSuite, type CompiledCase, type Scoring } from '../scoring/index.ts'

/** Enough to keep the scoring threads busy. */
const CELLS_AT_ONCE = 16

async function scoreCell(testCase: CompiledCase, result: CellResult, scoring: Scoring): Promise<CellResult> {
  const { score: _old, unscored: _reason, ...answer } = result
  if (answer.response === undefined) return answer
  try {
    const score = await scoring.scoreAnswer(testCase, {
      response: answer.response,
      ...(answer.toolCalls && { toolCalls: answer.toolCalls }),
      ...(answer.latencyMs !== undefined && { latencyMs: answer.latencyMs }),
      ...(answer.cost !== undefined && { cost: answer.cost }),
    })
    return { ...answer, status: 'completed', score }
  } catch (error) {
    if (!(error instanceof ScoringError)) throw error
    return { ...answer, status: 'completed', unscored: { code: error.code, message: error.message } }
  }
}

/** Every cell of the run; one without an answer becomes an error, so that it is counted and not overlooked. */
function fillCells(run: RunResult, cases: CompiledCase[]): { testCase: CompiledCase; result: CellResult }[] {
  const answers = new Map(run.results.map((result) => [JSON.stringify([result.testCaseId, result.modelId]), result]))
  return cases.flatMap((testCase) =>
    run.models.map((modelId) => {
      const { id } = testCase.testCase
      const stored = answers.get(JSON.stringify([id, modelId]))
      const missing: CellResult = {
        testCaseId: id,
        modelId,
        status: 'failed',
        outcome: 'error',
        error: 'no answer stored',
      }
      return { testCase, result: stored ?? missing }
    }),
  )
}

/** Scores the stored answers of a run again; no model is called. */
export async function scoreAnswers(run: RunResult, suite: Suite, scoring: Scoring): Promise<RunResult> {
  const cells = fillCells(run, compileSuite(suite, scoring.scorers))
  const results: CellResult[] = []
  for (let start = 0; start < cells.length; start += CELLS_AT_ONCE) {
    const batch = cells.slice(start, start + CELLS_AT_ONCE)
    results.push(...(await Promise.all(batch.map(({ testCase, result }) => scoreCell(testCase, result, scoring)))))
  }
  return { ...run, status: 'completed', results }
}
