import { useEffect, useRef, useState, type RefObject } from 'react'

/** Long enough to notice a slip of the mouse: a removed key cannot be brought back. */
const UNDO_MS = 6000

interface Waiting {
  act: () => void
  timer: number
}

function take(waiting: RefObject<Waiting | undefined>): Waiting | undefined {
  const taken = waiting.current
  waiting.current = undefined
  window.clearTimeout(taken?.timer)
  return taken
}

/** Does it after a while, unless it is taken back; at once if the screen is left. */
export function useUndoable(act: () => void): { isPending: boolean; start: () => void; undo: () => void } {
  const [isPending, setPending] = useState(false)
  const waiting = useRef<Waiting | undefined>(undefined)
  useEffect(() => () => take(waiting)?.act(), [])
  return {
    isPending,
    start: () => {
      const timer = window.setTimeout(() => {
        take(waiting)?.act()
        setPending(false)
      }, UNDO_MS)
      waiting.current = { act, timer }
      setPending(true)
    },
    undo: () => {
      take(waiting)
      setPending(false)
    },
  }
}
