import { maxArenaModels, runLimits, type CodeArenaRequestInput } from '../../contract/index.ts'
import { readAsking, type ArenaState } from '../../stores/arenaStore.ts'

/** A page is longer than an answer: the Arena default of 2,048 tokens would truncate most pages. */
export const PAGE_TOKENS = 8192
const MAX_PROMPT_LENGTH = 100_000

export interface ArenaTask {
  prompt: string
  /** If empty, the built-in one is used. */
  systemPrompt: string
  isQuickJudge: boolean
}

interface ArenaOptions {
  task: ArenaTask
  models: readonly string[]
  judgeModelIds: readonly string[]
  state: Pick<ArenaState, 'choices' | 'effectiveParameters'>
  /** Errors by field label. */
  fieldErrors: Record<string, string>
}

/** The request to send, or the problems that prevent it. */
export function makeArenaRequest({
  task,
  models,
  judgeModelIds,
  state,
  fieldErrors,
}: ArenaOptions): { request: CodeArenaRequestInput } | { problems: string[] } {
  const prompt = task.prompt.trim()
  const problems = Object.entries(fieldErrors).map(([field, message]) => `${field} ${message}.`)
  if (prompt === '') problems.push('Describe the page.')
  if (prompt.length > MAX_PROMPT_LENGTH)
    problems.push(`The prompt has ${prompt.length} characters; the maximum is ${MAX_PROMPT_LENGTH}.`)
  if (models.length === 0) problems.push('Choose at least one model.')
  if (models.length > maxArenaModels)
    problems.push(`Choose at most ${maxArenaModels} models: you chose ${models.length}.`)
  if (judgeModelIds.length > runLimits.judges)
    problems.push(`Choose at most ${runLimits.judges} judges: you chose ${judgeModelIds.length}.`)
  if (problems.length > 0) return { problems }
  return {
    request: {
      prompt,
      ...(task.systemPrompt.trim() !== '' && { systemPrompt: task.systemPrompt }),
      models: [...models],
      ...readAsking(state),
      judgeModelIds: [...judgeModelIds],
      isQuickJudge: task.isQuickJudge,
    },
  }
}
