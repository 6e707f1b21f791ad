import { useEffect, useEffectEvent, useState } from 'react'

/** The value once it has not changed for a while, for work that waits for a pause in typing. */
export function useSettled<T>(value: T, milliseconds: number): T {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = window.setTimeout(() => setSettled(value), milliseconds)
    return () => window.clearTimeout(timer)
  }, [value, milliseconds])
  return settled
}

interface Typed {
  value: string
  isValid?: (text: string) => boolean
  /** Called after a pause in typing, to avoid a request for every letter. */
  onSettled: (text: string) => void
}

const PAUSE_MS = 250

/** The text of a field whose value is elsewhere, such as in the address, and what to call when something is typed. */
export function useTyped({ value, isValid = () => true, onSettled }: Typed): [string, (text: string) => void] {
  const [typed, setTyped] = useState({ text: value, from: value })
  // The value changed (Back, or "Show all"), so it wins.
  if (typed.from !== value) setTyped({ text: value, from: value })
  const settle = useEffectEvent(onSettled)
  const isNew = typed.text !== value && isValid(typed.text)
  useEffect(() => {
    if (!isNew) return undefined
    const timer = window.setTimeout(() => settle(typed.text), PAUSE_MS)
    return () => window.clearTimeout(timer)
  }, [typed, isNew])
  return [typed.text, (text) => setTyped({ text, from: value })]
}
