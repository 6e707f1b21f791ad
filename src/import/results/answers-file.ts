import { z } from 'zod'
import { cellName, InputError, MAX_COST, type RunResult, type Suite } from '../../contract/index.ts'
import { parseJson, readSource } from '../text/source-text.ts'

const answersSchema = z.object({
  runs: z
    .array(
      z.object({
        id: z.string().min(1),
        results: z
          .array(
            z.object({
              testCaseId: z.string(),
              modelId: z.string().min(1),
              response: z.string(),
              latencyMs: z.number().nonnegative().max(Number.MAX_SAFE_INTEGER).optional(),
              cost: z.number().nonnegative().max(MAX_COST).optional(),
            }),
          )
          .min(1, 'has no answers'),
      }),
    )
    .min(1, 'has no runs'),
})

type StoredRun = z.output<typeof answersSchema>['runs'][number]

/** Checks what the schema cannot: ids must be unique and exist in the suite. */
function checkAnswers(runs: StoredRun[], file: string, suite: Suite): void {
  const caseIds = new Set(suite.testCases.map(({ id }) => id))
  const runIds = new Set<string>()
  for (const { id, results } of runs) {
    if (runIds.has(id)) throw new InputError(`${file}: two runs have the id ${JSON.stringify(id)}`)
    runIds.add(id)
    const cells = new Set<string>()
    for (const { testCaseId, modelId } of results) {
      const where = `${file}: run ${id}: ${modelId} answers test case ${JSON.stringify(testCaseId)}`
      if (!caseIds.has(testCaseId)) throw new InputError(`${where}, which the suite does not have`)
      const cell = cellName({ testCaseId, modelId })
      if (cells.has(cell)) throw new InputError(`${where} twice`)
      cells.add(cell)
    }
  }
}

/** Loads stored answers that are not scored yet: `{ runs: [{ id, results: [{ testCaseId, modelId, response }] }] }`. */
export function parseAnswers(text: string, file: string, suite: Suite): RunResult[] {
  const parsed = answersSchema.safeParse(parseJson(text, file))
  if (!parsed.success) {
    const issue = parsed.error.issues[0]!
    throw new InputError(`${file}: ${issue.path.join('.')}: ${issue.message}`)
  }
  checkAnswers(parsed.data.runs, file, suite)
  return parsed.data.runs.map(({ id, results }) => ({
    id,
    testSuiteName: suite.name,
    testSuiteSnapshot: suite,
    models: [...new Set(results.map(({ modelId }) => modelId))],
    results,
  }))
}

export async function loadAnswers(file: string, suite: Suite): Promise<RunResult[]> {
  return parseAnswers(await readSource(file), file, suite)
}
