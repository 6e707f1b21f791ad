import { maxArenaModels, runLimits, type CodeArenaRequestInput } from '../../contract/index.ts'
import { formatCost } from '../../report/words/index.ts'
import type { ArenaState } from '../../stores/arenaStore.ts'

/** A page is longer than an answer to a question: the Arena's 2,048 tokens would cut most of them. */
export const PAGE_TOKENS = 8192
const LONGEST_PROMPT = 100_000

export interface ArenaTask {
  prompt: string
  /** Empty: the built-in one. */
  systemPrompt: string
  isQuickJudge: boolean
}

interface Chosen {
  task: ArenaTask
  models: readonly string[]
  judgeModelIds: readonly string[]
  state: Pick<ArenaState, 'choices' | 'effectiveParameters'>
  /** Fields that hold what cannot be used, by label. */
  faults: Record<string, string>
}

/** The request as it would be sent, or why there is none yet. */
export function makeArenaRequest({
  task,
  models,
  judgeModelIds,
  state,
  faults,
}: Chosen): { request: CodeArenaRequestInput } | { problems: string[] } {
  const prompt = task.prompt.trim()
  const problems = Object.entries(faults).map(([field, message]) => `${field} ${message}.`)
  if (prompt === '') problems.push('Say what page is to be made.')
  if (prompt.length > LONGEST_PROMPT)
    problems.push(`The prompt has ${prompt.length} characters; ${LONGEST_PROMPT} is the most.`)
  if (models.length === 0) problems.push('Choose at least one model.')
  if (models.length > maxArenaModels)
    problems.push(`Choose at most ${maxArenaModels} models: there are ${models.length}.`)
  if (judgeModelIds.length > runLimits.judges)
    problems.push(`Choose at most ${runLimits.judges} judges: there are ${judgeModelIds.length}.`)
  if (problems.length > 0) return { problems }
  const { combineJudges, concurrency, timeoutSeconds, maxCost } = state.choices
  return {
    request: {
      prompt,
      ...(task.systemPrompt.trim() !== '' && { systemPrompt: task.systemPrompt }),
      models: [...models],
      parameters: state.effectiveParameters,
      judgeModelIds: [...judgeModelIds],
      combineJudges,
      isQuickJudge: task.isQuickJudge,
      concurrency,
      ...(timeoutSeconds !== undefined && { timeoutSeconds }),
      ...(maxCost !== undefined && { maxCost }),
    },
  }
}

/** What pressing the button would do, in one line. */
export function describeRequest({ models, judgeModelIds = [], isQuickJudge, maxCost }: CodeArenaRequestInput): string {
  const judges =
    judgeModelIds.length === 0
      ? 'nobody judges, people vote'
      : `judged by ${judgeModelIds.length === 1 ? judgeModelIds[0] : `${judgeModelIds.length} judges`}${isQuickJudge ? ' from the code alone' : ' from screenshots, findings and code'}`
  return [
    `${models.length === 1 ? '1 page' : `${models.length} pages`}, one a model`,
    judges,
    ...(maxCost === undefined ? [] : [`at most ${formatCost(maxCost)}`]),
  ].join(' · ')
}
