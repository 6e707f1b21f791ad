import type { Redacted } from '../../sharing/redact-secrets.ts'
import { formatCount } from '../numbers.ts'

const MOST_NAMED = 20

/** What was taken out of files that are passed on: how much of each kind, and each of them. */
export function describeRemoved(removed: Redacted<unknown>['removed']): string[] {
  if (removed.length === 0) return ['No keys, tokens, passwords, home folders or mail addresses were found.']
  const kinds = Map.groupBy(removed, ({ kind }) => kind)
  const counts = [...kinds].map(
    ([kind, own]) => `${kind} ${formatCount(own.reduce((sum, { count }) => sum + count, 0))}`,
  )
  return [
    `Taken out: ${counts.join(', ')}. Look through the files yourself before you pass them on.`,
    ...removed
      .slice(0, MOST_NAMED)
      .map(({ kind, shown, count, where }) => `${kind} ${shown}, ${formatCount(count)} ×, first at ${where}`),
    ...(removed.length > MOST_NAMED ? [`${formatCount(removed.length - MOST_NAMED)} more.`] : []),
  ]
}
