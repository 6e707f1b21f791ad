import { useEffect, useRef, useState, type RefObject } from 'react'

/** How large an element is, so that a page can be scaled to fit it. */
export function useBox<T extends HTMLElement>(): [RefObject<T | null>, { width: number; height: number }] {
  const place = useRef<T>(null)
  const [box, setBox] = useState({ width: 0, height: 0 })
  useEffect(() => {
    const element = place.current
    if (!element) return undefined
    const observer = new ResizeObserver(() => {
      // Hidden behind another tab it has no size: the last one stays, so that its page does not lay itself out for nothing.
      if (element.clientWidth > 0) setBox({ width: element.clientWidth, height: element.clientHeight })
    })
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  return [place, box]
}
