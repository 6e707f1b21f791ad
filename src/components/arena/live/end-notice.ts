import { isInProgress } from '../../../contract/index.ts'
import { navigate } from '../../router.tsx'
import type { LiveConnection } from './live-connection.ts'
import { describeEnd, findShownState } from './run-words.ts'

/** The series whose end this tab announces, each with what stops the waiting. It goes on when its page is left. */
const waiting = new Map<string, () => void>()
const listeners = new Set<() => void>()

export function isAwaited(seriesKey: string): boolean {
  return waiting.has(seriesKey)
}

export function subscribeToNotices(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function stopWaiting(seriesKey: string): void {
  waiting.get(seriesKey)?.()
  waiting.delete(seriesKey)
  for (const listener of listeners) listener()
}

/** True if the run has ended, and the notification was shown. */
function announceEnd({ store }: LiveConnection): boolean {
  const [facts, progress] = [store.getFacts(), store.getProgress()]
  if (!facts || !progress) return false
  const isLastRun = facts.runNumber >= facts.runsPlanned
  const state = findShownState(progress, { hasEnded: store.hasEnded(), isLastRun })
  if (isInProgress(state)) return false
  const [best] = store.getStandings()
  const { title, body } = describeEnd(facts.suiteName, progress, state, best)
  const notification = new Notification(title, { body })
  notification.addEventListener('click', () => {
    window.focus()
    navigate(`/arena/run/${encodeURIComponent(facts.runId)}`)
  })
  return true
}

/** Asks the browser for permission, so call it only on a click. False if it is refused. */
export async function tellWhenDone(seriesKey: string, connection: LiveConnection): Promise<boolean> {
  if (!('Notification' in window) || (await Notification.requestPermission()) !== 'granted') return false
  if (waiting.has(seriesKey)) return true
  const release = connection.hold()
  const unsubscribe = connection.store.subscribe(() => {
    if (announceEnd(connection)) stopWaiting(seriesKey)
  })
  waiting.set(seriesKey, () => {
    unsubscribe()
    release()
  })
  // It may have ended while the browser asked.
  if (announceEnd(connection)) stopWaiting(seriesKey)
  for (const listener of listeners) listener()
  return true
}

export const doNotTell = stopWaiting
