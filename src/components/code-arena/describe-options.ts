import type { ModelParameters } from '../../contract/index.ts'
import { formatCost } from '../../report/words/index.ts'
import type { ArenaTask } from './make-arena-request.ts'

interface ChosenOptions {
  judges: readonly string[]
  task: Pick<ArenaTask, 'systemPrompt' | 'isQuickJudge'>
  parameters: ModelParameters
  defaults: ModelParameters
  maxCost: number | undefined
}

/** The options in one line, for when they are closed. */
export function describeOptions({ judges, task, parameters, defaults, maxCost }: ChosenOptions): string {
  const [judge] = judges
  const isChanged = Object.entries(defaults).some(
    ([name, value]) => Object.entries(parameters).find(([other]) => other === name)?.[1] !== value,
  )
  return [
    judge === undefined
      ? 'no judge, people vote'
      : `judged by ${judges.length === 1 ? judge : `${judges.length} judges`}${task.isQuickJudge ? ' from the code alone' : ''}`,
    ...(task.systemPrompt.trim() === '' ? [] : ['custom system prompt']),
    isChanged ? 'changed parameters' : 'default parameters',
    maxCost === undefined ? 'no budget' : `at most ${formatCost(maxCost)}`,
  ].join(' · ')
}
