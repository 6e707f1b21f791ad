import { useEffect, useRef, useState, type RefObject } from 'react'
import { toast } from '../../ui/toast.ts'

interface FullScreen<T> {
  container: RefObject<T | null>
  isFull: boolean
  toggle: () => void
}

/** The browser's own full screen, because Esc leaves it even if the page has the focus. */
export function useFullScreen<T extends HTMLElement>(): FullScreen<T> {
  const container = useRef<T>(null)
  const [isFull, setFull] = useState(false)
  useEffect(() => {
    const listen = () =>
      setFull(document.fullscreenElement !== null && document.fullscreenElement === container.current)
    document.addEventListener('fullscreenchange', listen)
    return () => document.removeEventListener('fullscreenchange', listen)
  }, [])
  const toggle = () => {
    const done = document.fullscreenElement ? document.exitFullscreen() : container.current?.requestFullscreen()
    done?.catch(() => toast('This browser does not allow full screen here.'))
  }
  return { container, isFull, toggle }
}
