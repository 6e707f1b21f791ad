import { Bell, BellRing } from 'lucide-react'
import { useSyncExternalStore } from 'react'
import { Button } from '../../ui/Button.tsx'
import { toast } from '../../ui/toast.ts'
import { doNotTell, isAwaited, subscribeToNotices, tellWhenDone } from './end-notice.ts'
import type { LiveConnection } from './live-connection.ts'

/** A notification of the browser when the run, or the whole series, has ended. */
export function EndNoticeButton({ connection, seriesKey }: { connection: LiveConnection; seriesKey: string }) {
  const isOn = useSyncExternalStore(subscribeToNotices, () => isAwaited(seriesKey))
  const toggle = async () => {
    if (isOn) doNotTell(seriesKey)
    else if (!(await tellWhenDone(seriesKey, connection)))
      toast('The browser does not allow notifications here. The window title shows the progress.')
  }
  const Icon = isOn ? BellRing : Bell
  return (
    <Button aria-pressed={isOn} onClick={() => void toggle()}>
      <Icon size={14} aria-hidden />
      {isOn ? 'You will be told' : 'Tell me when it is done'}
    </Button>
  )
}
