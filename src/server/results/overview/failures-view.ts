import { cellStateOf, type Storage } from '../../../contract/index.ts'
import {
  chooseTellingFailures,
  listAllFailed,
  meanOfCase,
  type FailedCase,
  type FailureKind,
} from '../../../report/model/failures/telling-failures.ts'
import { excerpt } from '../../../report/words/index.ts'
import { findVerdictPair } from '../../../report/words/verdicts/first-place.ts'
import { loadAnswers, loadCaseTexts, type AnswerDetail } from '../cases/case-detail.ts'
import { groupCases } from '../../../report/model/standings/groups.ts'
import type { CaseGroup } from '../selection/case-groups.ts'
import type { LoadedSelection } from '../selection/load-selection.ts'

/** GET /api/results/:selection/failures: the cases that say most about the models, with what was answered. */
export interface FailuresView {
  /** How many cases some model failed. */
  cases: number
  /** The models that may be best differ on these cases. */
  isSplit: boolean
  failures: ShownFailure[]
}

export interface ShownFailure {
  kind: FailureKind
  caseId: string
  question: string
  expected?: string
  /** Answers that failed, those of most models first. */
  got: FailedAnswer[]
  /** Answers that are not listed. */
  others: number
  /** The models that passed in every run. */
  passed: string[]
  /** How many models have a score on this case. */
  scored: number
  /** How many have one at all. */
  models: number
  /** Over the models. */
  mean: number
  /** Of `only-one-passed`. */
  modelId?: string
  runs: number
}

interface FailedAnswer {
  text: string
  isError?: true
  /** In how many of its runs each model gave it. */
  models: { modelId: string; times: number; of: number }[]
}

const MAX_MODELS = 10
const MAX_RUNS = 5
/** Of cases that everyone failed, so many are read to find one that they failed alike. */
const MAX_CANDIDATES = 6
const MAX_GROUPS = 3
const MAX_ANSWER = 160
const MAX_QUESTION = 160

type Models = Awaited<ReturnType<typeof loadAnswers>>

const failureText = ({ result }: AnswerDetail): string =>
  excerpt((result.response ?? result.error ?? '').replaceAll(/\s+/g, ' ').trim(), MAX_ANSWER)

/** The failed answers, identical ones together; errors last. */
function groupAnswers(models: Models): FailedAnswer[] {
  const groups = new Map<string, FailedAnswer>()
  for (const { modelId, answers } of models)
    for (const answer of answers) {
      if (answer.passed !== false && cellStateOf(answer.result) !== 'error') continue
      const isError = answer.passed === undefined
      const text = failureText(answer)
      const group = groups.get(`${isError} ${text}`) ?? { text, ...(isError && { isError: true as const }), models: [] }
      groups.set(`${isError} ${text}`, group)
      const own = group.models.find((model) => model.modelId === modelId)
      if (own) own.times++
      else group.models.push({ modelId, times: 1, of: answers.length })
    }
  return [...groups.values()].toSorted(
    (a, b) => Number(a.isError ?? false) - Number(b.isError ?? false) || b.models.length - a.models.length,
  )
}

/** How many models gave the most frequent wrong answer. */
const countAlike = (groups: readonly FailedAnswer[]) =>
  Math.max(0, ...groups.filter(({ isError }) => !isError).map(({ models }) => models.length))

export async function createFailuresView(
  selection: LoadedSelection,
  storage: Storage,
  group: CaseGroup | undefined,
): Promise<FailuresView> {
  const { scores, table, ids } = selection
  const { rows, comparisons } = await selection.resultsFor(undefined, group).summary
  const models = rows.filter(({ score }) => score).map(({ modelId }) => modelId)
  const columns = models.map((modelId) => scores.modelIds.indexOf(modelId))
  const included = group ? groupCases(selection.facts, group.by).get(group.value) : undefined
  const cases = [...(included ?? scores.caseIds.keys())].map((index): FailedCase => ({
    index,
    cells: columns.map((model) => {
      const at = index * table.models + model
      return { scored: table.scored[at]!, passed: table.passed[at]!, mean: table.means[at]! }
    }),
  }))
  const pair = findVerdictPair(
    rows,
    comparisons.map(({ comparison }) => comparison),
  )
  const open =
    pair?.paired && !pair.paired.isSignificant
      ? ([pair.modelA, pair.modelB].toSorted((a, b) => models.indexOf(a) - models.indexOf(b)) as [string, string])
      : undefined

  const read = new Map<number, Promise<Models>>()
  const modelIds = [...new Set([...(open ?? []), ...models])].slice(0, MAX_MODELS)
  const readAnswers = (index: number) => {
    const reading =
      read.get(index) ??
      loadAnswers({ ...selection, ids: ids.slice(-MAX_RUNS) }, storage, {
        id: scores.caseIds[index]!,
        passMark: loadCaseTexts(selection, scores.caseIds[index]!).passMark,
        modelIds,
      })
    read.set(index, reading)
    return reading
  }
  const alike = new Map<number, number>()
  for (const { index } of listAllFailed(cases).slice(0, MAX_CANDIDATES))
    alike.set(index, countAlike(groupAnswers(await readAnswers(index))))
  const chosen = chooseTellingFailures(cases, {
    open: open && [models.indexOf(open[0]), models.indexOf(open[1])],
    agreementOf: (index) => alike.get(index) ?? 0,
  })
  return {
    cases: cases.filter(({ cells }) => cells.some(({ scored, passed }) => passed < scored)).length,
    isSplit: open !== undefined && chosen[0]?.kind === 'only-one-passed',
    failures: await Promise.all(
      chosen.map(async ({ kind, index, model }): Promise<ShownFailure> => {
        const caseId = scores.caseIds[index]!
        const groups = groupAnswers(await readAnswers(index))
        const { expectedOutput } = loadCaseTexts(selection, caseId)
        const { cells } = cases.find((one) => one.index === index)!
        return {
          kind,
          caseId,
          question: selection.titleOf(caseId, MAX_QUESTION),
          ...(expectedOutput !== undefined && {
            expected: excerpt(expectedOutput.replaceAll(/\s+/g, ' ').trim(), MAX_ANSWER),
          }),
          got: groups.slice(0, MAX_GROUPS),
          others: Math.max(0, groups.length - MAX_GROUPS),
          passed: models.filter((_, at) => cells[at]!.scored > 0 && cells[at]!.passed === cells[at]!.scored),
          scored: cells.filter(({ scored }) => scored > 0).length,
          models: models.length,
          mean: meanOfCase({ index, cells }),
          ...(model !== undefined && { modelId: models[model]! }),
          runs: ids.length,
        }
      }),
    ),
  }
}
