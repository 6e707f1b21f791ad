import { Bell, BellRing } from 'lucide-react'
import { useSyncExternalStore } from 'react'
import { isInProgress } from '../../../contract/index.ts'
import { describeEnd } from '../../../report/words/runs/progress.ts'
import { api } from '../../api.ts'
import { readReply } from '../../api-request.ts'
import { navigate } from '../../router.tsx'
import { resultsAddress, selectionOf } from '../../results/addresses.ts'
import { Button } from '../../ui/Button.tsx'
import { toast } from '../../ui/toast.ts'
import type { LiveConnection } from './live-connection.ts'
import { readLive, type LiveView } from './use-live-run.ts'

/** The series whose end this tab announces, each with what stops that. It goes on when its page is left. */
const awaited = new Map<string, () => void>()
const listeners = new Set<() => void>()

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function tellListeners(): void {
  for (const listener of listeners) listener()
}

function forget(seriesKey: string): void {
  awaited.get(seriesKey)?.()
  awaited.delete(seriesKey)
  tellListeners()
}

async function announce({ facts, progress, state }: LiveView): Promise<void> {
  const selection = selectionOf(facts)
  const results = await readReply(api.results[':selection'].$get({ param: { selection }, query: {} })).catch(
    () => undefined,
  )
  const verdict = results?.pendingComparisons ? undefined : results?.verdictCard.outcome
  const { title, body } = describeEnd(facts.suiteName, progress, state, verdict)
  const notification = new Notification(title, { body })
  notification.addEventListener('click', () => {
    window.focus()
    navigate(resultsAddress(selection))
  })
}

/** Asks the browser for permission, so call it only on a click. False if it is refused. */
async function tellWhenDone(seriesKey: string, connection: LiveConnection): Promise<boolean> {
  if (!('Notification' in window) || (await Notification.requestPermission()) !== 'granted') return false
  if (awaited.has(seriesKey)) return true
  const release = connection.hold()
  const tellIfEnded = () => {
    const live = readLive(connection)
    if (!live || isInProgress(live.state)) return
    forget(seriesKey)
    void announce(live)
  }
  const unsubscribe = connection.store.subscribe(tellIfEnded)
  awaited.set(seriesKey, () => {
    unsubscribe()
    release()
  })
  // It may have ended while the browser asked.
  tellIfEnded()
  tellListeners()
  return true
}

/** A notification of the browser when the run, or the whole series, has ended. */
export function EndNoticeButton({ live: { facts, connection } }: { live: LiveView }) {
  const seriesKey = facts.seriesId ?? facts.runId
  const isOn = useSyncExternalStore(subscribe, () => awaited.has(seriesKey))
  const toggle = async () => {
    if (isOn) forget(seriesKey)
    else if (!(await tellWhenDone(seriesKey, connection)))
      toast('The browser does not allow notifications here. The window title shows the progress.')
  }
  const Icon = isOn ? BellRing : Bell
  return (
    <Button aria-pressed={isOn} onClick={() => void toggle()}>
      <Icon size={14} aria-hidden />
      {isOn ? 'You will be notified' : 'Notify me'}
    </Button>
  )
}
