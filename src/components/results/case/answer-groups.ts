import { cellStateOf } from '../../../contract/index.ts'
import type { AnswerDetail, CaseDetail } from '../../../server/results/cases/case-detail.ts'

/** Models that gave the same answer, and what it scored. */
export interface AnswerGroup {
  /** The one that is shown. */
  answer: AnswerDetail
  modelId: string
  /** In how many of its runs each model gave it. */
  models: { modelId: string; times: number; of: number }[]
  state: 'failed' | 'passed' | 'error' | 'open'
}

const ORDER: AnswerGroup['state'][] = ['failed', 'error', 'open', 'passed']

function groupState({ result, passed }: AnswerDetail): AnswerGroup['state'] {
  if (cellStateOf(result) === 'error') return 'error'
  return passed === undefined ? 'open' : passed ? 'passed' : 'failed'
}

/** Tool calls count as part of an answer; a judge may grade the same text differently. */
const groupKey = (answer: AnswerDetail) =>
  JSON.stringify([
    groupState(answer),
    (answer.result.response ?? answer.result.error ?? '').trim(),
    answer.result.toolCalls ?? null,
    answer.result.score?.score ?? null,
  ])

/** The answers to a case, identical ones together: failures first, and what most models gave. */
export function groupAnswers({ models }: Pick<CaseDetail, 'models'>): AnswerGroup[] {
  const groups = new Map<string, AnswerGroup>()
  for (const { modelId, answers } of models)
    for (const answer of answers) {
      const group = groups.get(groupKey(answer)) ?? { answer, modelId, models: [], state: groupState(answer) }
      groups.set(groupKey(answer), group)
      const own = group.models.find((model) => model.modelId === modelId)
      if (own) own.times++
      else group.models.push({ modelId, times: 1, of: answers.length })
    }
  return [...groups.values()].toSorted(
    (a, b) => ORDER.indexOf(a.state) - ORDER.indexOf(b.state) || b.models.length - a.models.length,
  )
}

/** An answer that failed for most models, three at least: then the expected output may be wrong. */
export function findSharedFailure(groups: readonly AnswerGroup[], models: number): AnswerGroup | undefined {
  const most = groups.find(({ state }) => state === 'failed')
  return most && most.models.length >= Math.max(3, models * 0.6) ? most : undefined
}
