import { InputError, type CellResult, type RunResult, type Storage } from '../../contract/index.ts'
import { writeQuestion, findVariant, questionOf, type AuditAnswer } from '../../scoring/index.ts'
import { createRandom } from '../../statistics/index.ts'
import { isArenaCase } from '../code-arena/suite.ts'

/** The stored answers of a run that a judge is audited with. */
export interface RunAnswers {
  answers: AuditAnswer[]
  judgeSystemPrompt?: string | undefined
  /** The suite, for people. */
  name: string
}

/** As many cases as any audit uses, and the answers of so many models to each. */
const DEFAULT_CASES = 60
const ANSWERS_PER_CASE = 4

/** Draws cases at random; rated answers first, because only they say what an answer deserves. */
function chooseCells(run: RunResult, { limit = DEFAULT_CASES, seed = 1 }: DrawOptions): CellResult[] {
  const random = createRandom(`${seed} ${run.id}`)
  const answered = run.results.filter(({ outcome }) => outcome === 'ok' || outcome === 'truncated')
  const drawn = [...Map.groupBy(answered, ({ testCaseId }) => testCaseId).values()].map((cells) => ({
    cells,
    order: random(),
    isRated: cells.some(({ rating }) => rating?.rating !== undefined),
  }))
  return drawn
    .toSorted((a, b) => Number(b.isRated) - Number(a.isRated) || a.order - b.order)
    .slice(0, limit)
    .flatMap(({ cells }) =>
      cells
        .map((cell) => ({ cell, order: random() - (cell.rating?.rating === undefined ? 0 : 1) }))
        .toSorted((a, b) => a.order - b.order)
        .slice(0, ANSWERS_PER_CASE)
        .map(({ cell }) => cell),
    )
}

interface DrawOptions {
  /** Cases. */
  limit?: number | undefined
  seed?: number | undefined
}

/** Throws `InputError` if there is no such run, or nothing in it to audit with. */
export async function loadRunAnswers(storage: Storage, runId: string, options: DrawOptions = {}): Promise<RunAnswers> {
  const run = await storage.loadRun(runId, { texts: false })
  if (!run) throw new InputError(`there is no run ${runId}`)
  const suite = run.testSuiteSnapshot
  const caseOf = new Map(suite?.testCases.map((testCase) => [testCase.id, testCase]))
  if (suite?.testCases.some(isArenaCase))
    throw new InputError('a Code Arena run has pages, not answers; audit the judge with another run')
  const answers: AuditAnswer[] = []
  for (const { testCaseId, modelId, rating } of chooseCells(run, options)) {
    const testCase = caseOf.get(testCaseId)
    const cell = await storage.loadCell({ runId, testCaseId, modelId })
    const response = cell?.answer?.response ?? cell?.result.response ?? ''
    if (!testCase || response.trim() === '') continue
    answers.push({
      id: `${testCaseId} · ${modelId}`,
      prompt: writeQuestion(questionOf(testCase, findVariant(suite?.variants ?? [], modelId))),
      response,
      modelId,
      ...(testCase.expectedOutput !== undefined && { expectedOutput: testCase.expectedOutput }),
      ...(rating?.rating !== undefined && { expectedScore: rating.rating }),
    })
  }
  if (answers.length === 0) throw new InputError(`run ${runId} has no answers to audit a judge with`)
  return { answers, judgeSystemPrompt: suite?.judgeSystemPrompt, name: run.testSuiteName ?? suite?.name ?? 'Suite' }
}
