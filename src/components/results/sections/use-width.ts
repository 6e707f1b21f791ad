import { useEffect, useRef, useState, type RefObject } from 'react'

/** The width of an element, so that a chart fits it without scaling its text. */
export function useWidth<T extends HTMLElement>(initial: number): [RefObject<T | null>, number] {
  const container = useRef<T>(null)
  const [width, setWidth] = useState(initial)
  useEffect(() => {
    const element = container.current
    if (!element) return undefined
    const observer = new ResizeObserver(() => setWidth(Math.max(120, Math.round(element.clientWidth))))
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  return [container, width]
}
