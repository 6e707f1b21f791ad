import { useEffect, useRef, useState, type RefObject } from 'react'

/** The size of an element, so that a page can be scaled to fit it. */
export function useBox<T extends HTMLElement>(): [RefObject<T | null>, { width: number; height: number }] {
  const container = useRef<T>(null)
  const [box, setBox] = useState({ width: 0, height: 0 })
  useEffect(() => {
    const element = container.current
    if (!element) return undefined
    const observer = new ResizeObserver(() => {
      // While hidden by another tab the element has no size. Keeping the last one avoids a needless layout of the page.
      if (element.clientWidth > 0) setBox({ width: element.clientWidth, height: element.clientHeight })
    })
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  return [container, box]
}
