import { useEffect, useRef, useState, type RefObject } from 'react'

/** How wide an element is, so that a drawing fits it without scaling its text. */
export function useWidth<T extends HTMLElement>(before: number): [RefObject<T | null>, number] {
  const place = useRef<T>(null)
  const [width, setWidth] = useState(before)
  useEffect(() => {
    const element = place.current
    if (!element) return undefined
    const observer = new ResizeObserver(() => setWidth(Math.max(120, Math.round(element.clientWidth))))
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  return [place, width]
}
