import type { ShownPage } from '../../stores/liveRunStore.ts'
import { formatCost, formatCount, formatDuration } from '../../report/words/index.ts'

/** The state of a page in words; without `isLive`, a page without an answer was not requested. */
export function describeState(
  { state, step, response, message, outcome, page: { inspection, unscored } = {} }: ShownPage,
  { isLive }: { isLive: boolean },
): string {
  if (step === 'sent') return message ?? 'Waiting for the first token'
  if (step === 'streaming') return `Writing, ${formatCount(response.length, 'character')} so far`
  if (step === 'scoring') return message ?? (inspection ? 'Judging' : 'Written, inspecting the page in a browser')
  if (state === 'error') return message ?? 'Error'
  if (state === 'unscored')
    return unscored?.code === 'not-judged'
      ? 'Done, not judged'
      : `Done, unscored: ${message ?? unscored?.message ?? 'no reason given'}`
  if (state !== 'scored') return message ?? (isLive ? 'Pending' : 'Not run')
  return outcome === undefined || outcome === 'ok' ? 'Judged' : `Judged; the answer was ${outcome}`
}

/** The same before the vote: nothing that could tell the model, such as the messages of its provider. */
export function describeBlindState(
  { state, step, response }: Pick<ShownPage, 'state' | 'step' | 'response'>,
  { isLive }: { isLive: boolean },
): string {
  if (step === 'streaming') return `Writing, ${formatCount(response.length, 'character')} so far`
  if (state === 'error') return 'Error'
  if (response !== '') return 'Written'
  return isLive ? 'Pending' : 'Not run'
}

/** Latency, tokens and cost: `12.4 s · 3,204 tokens · $0.012` */
export function describeEffort({ page: { latencyMs, completionTokens, cost } = {} }: ShownPage): string[] {
  return [
    latencyMs !== undefined && formatDuration(latencyMs),
    completionTokens !== undefined && `${formatCount(completionTokens)} tokens`,
    cost !== undefined && formatCost(cost),
  ].filter((part) => part !== false)
}

/** A prompt as a title: on one line, truncated. */
export function nameOfPrompt(prompt: string, maxLength = 90): string {
  const line = prompt
    .slice(0, maxLength * 8)
    .replaceAll(/\s+/g, ' ')
    .trim()
  const characters = Array.from(line)
  return characters.length <= maxLength ? line : `${characters.slice(0, maxLength - 1).join('')}…`
}

/** A safe file name from the model's name and the file's: no folders or special characters. */
export function fileNameFor(modelId: string, name: string): string {
  const clean = (text: string) =>
    text
      .replaceAll(/[^\w.-]+/g, '-')
      .replaceAll(/\.{2,}/g, '.')
      .replaceAll(/^[-.]+|[-.]+$/g, '')
      .slice(-80)
  return [clean(modelId), clean(name)].filter((part) => part !== '').join('-') || 'page'
}
