import type { ArenaRunSummary } from '../../server/code-arena/arena-list.ts'
import { sumDollars, type ArenaPanel, type ArenaView } from '../../contract/index.ts'
import { formatCost, formatCount, formatDuration } from '../../report/words/index.ts'

/** What is going on with a page, in words. */
export function describeState({ state, response, inspection, message, unscored, outcome }: ArenaPanel): string {
  if (state === 'waiting') return message ?? 'Waiting for its turn'
  if (state === 'asking') return message ?? 'Asked, no word yet'
  if (state === 'streaming') return `Writing, ${formatCount(response.length, 'character')} so far`
  if (state === 'scoring') return message ?? (inspection ? 'Being judged' : 'Written; a browser looks at the page')
  if (state === 'error') return message ?? 'Ended in an error'
  if (state === 'unscored')
    return unscored?.code === 'not-judged'
      ? 'Done; nobody judged it'
      : `Done, without a score: ${message ?? unscored?.message ?? 'no reason was given'}`
  return outcome === undefined || outcome === 'ok' ? 'Judged' : `Judged; the answer was ${outcome}`
}

/** What it took: `12.4 s · 3,204 tokens · $0.012` */
export function describeEffort({ latencyMs, completionTokens, cost }: ArenaPanel): string[] {
  return [
    latencyMs !== undefined && formatDuration(latencyMs),
    completionTokens !== undefined && `${formatCount(completionTokens)} tokens`,
    cost !== undefined && formatCost(cost),
  ].filter((part) => part !== false)
}

type RunFacts = Pick<ArenaRunSummary, 'status' | 'isLive' | 'isInterrupted'>

export function describeStatus({ status, isLive, isInterrupted }: RunFacts): string {
  if (isLive) return 'running'
  if (isInterrupted) return 'interrupted'
  const words: Record<ArenaRunSummary['status'], string> = {
    idle: 'not begun',
    running: 'running elsewhere',
    completed: 'finished',
    failed: 'ended early',
    cancelled: 'stopped',
  }
  return words[status]
}

/** Whether something of it can still be asked. */
export function canResume({ status, isLive, isInterrupted }: RunFacts, errors = 0): boolean {
  return (
    !isLive &&
    (isInterrupted || status === 'cancelled' || status === 'failed' || (status === 'completed' && errors > 0))
  )
}

/** `2 of 3 pages done` for the bar; counted here when the server has not told. */
export function countDone({ panels, progress }: Pick<ArenaView, 'panels' | 'progress'>): {
  done: number
  total: number
  errors: number
} {
  if (progress) return { done: progress.done, total: progress.total, errors: progress.errors }
  const errors = panels.filter(({ state }) => state === 'error').length
  return {
    done: panels.filter(({ state }) => state === 'scored' || state === 'unscored').length + errors,
    total: panels.length,
    errors,
  }
}

/** What the answers of a stored run cost; the judge's part is not in it. */
export function describeCost({ panels }: Pick<ArenaView, 'panels'>): string[] {
  const answered = panels.filter(({ response }) => response !== '')
  const known = answered.flatMap(({ cost }) => (cost === undefined ? [] : [cost]))
  return answered.length === 0 ? [] : [`answers cost ${formatCost(sumDollars(known), answered.length - known.length)}`]
}

/** A prompt as a title: its first line, cut where a title ends. */
export function nameOfPrompt(prompt: string, most = 90): string {
  const line = prompt
    .slice(0, most * 8)
    .replaceAll(/\s+/g, ' ')
    .trim()
  const characters = Array.from(line)
  return characters.length <= most ? line : `${characters.slice(0, most - 1).join('')}…`
}

/** A name for a file made of a model's: no folders, nothing that a system could take amiss. */
export function fileNameFor(modelId: string, name: string): string {
  const clean = (text: string) =>
    text
      .replaceAll(/[^\w.-]+/g, '-')
      .replaceAll(/\.{2,}/g, '.')
      .replaceAll(/^[-.]+|[-.]+$/g, '')
      .slice(-80)
  return [clean(modelId), clean(name)].filter((part) => part !== '').join('-') || 'page'
}
