import { useEffect, useRef, useState, type RefObject } from 'react'

/**
 * A page that takes the focus this often in so short a time is paused while someone types. Many pages take it once, when
 * they load.
 */
const MOST_TIMES = 3
const WITHIN_MS = 1500

/** True if the person went into the frame: the mouse is over it, or the last key was Tab. */
function isOwnStep(frame: Element, lastKey: string): boolean {
  return frame.matches(':hover') || lastKey === 'Tab'
}

/**
 * Returns the focus to the editor if the page beside it takes it. False once the page has done so again and again: it is
 * then removed while someone types, like every other preview.
 */
export function useKeptFocus(editor: RefObject<HTMLElement | null>): boolean {
  const [isWellBehaved, setWellBehaved] = useState(true)
  const times = useRef<number[]>([])
  useEffect(() => {
    const element = editor.current
    if (!element) return undefined
    let lastKey = ''
    let field: HTMLElement | undefined
    const onKey = ({ key }: KeyboardEvent) => {
      lastKey = key
    }
    const onFocus = ({ target }: FocusEvent) => {
      if (target instanceof HTMLElement) field = target
    }
    const onBlur = () =>
      window.setTimeout(() => {
        const { activeElement } = document
        if (!(activeElement instanceof HTMLIFrameElement) || isOwnStep(activeElement, lastKey)) return
        field?.focus({ preventScroll: true })
        const now = performance.now()
        times.current = [...times.current.filter((time) => now - time < WITHIN_MS), now]
        if (times.current.length >= MOST_TIMES) setWellBehaved(false)
      })
    element.addEventListener('keydown', onKey, true)
    element.addEventListener('focusin', onFocus)
    element.addEventListener('focusout', onBlur)
    return () => {
      element.removeEventListener('keydown', onKey, true)
      element.removeEventListener('focusin', onFocus)
      element.removeEventListener('focusout', onBlur)
    }
  }, [editor])
  return isWellBehaved
}
