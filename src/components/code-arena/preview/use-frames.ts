import { useEffect, useReducer, useRef } from 'react'
import { frameLate, frameLoaded, noFrames, reloadPage, showPage, type Frames } from './frames.ts'
import {
  addMessage,
  MOST_MESSAGES,
  readPreviewMessage,
  type NumberedMessage,
  type PreviewMessage,
} from './preview-messages.ts'

/** A page that takes longer than this to load is most likely stuck. */
const LATE_MS = 2_500

/** From a page's loading to its first picture. */
const PAINT_MS = 60

/** A page that speaks more often than this is stopped, because each message takes the screen time: its first script never does. */
const FLOOD = 500

interface FramesState {
  frames: Frames
  isStopped: boolean
  /** Stopped because it spoke without end. */
  isFlood: boolean
  /** By frame: what a page said goes with it. */
  messages: ReadonlyMap<number, readonly NumberedMessage[]>
}

type Change =
  | { type: 'show'; url: string | undefined; isFinal: boolean }
  | { type: 'loaded' | 'late'; key: number }
  | { type: 'reload' | 'stop' | 'flood' | 'start' }
  | { type: 'said'; said: { key: number; message: PreviewMessage }[] }

const start: FramesState = { frames: noFrames, isStopped: false, isFlood: false, messages: new Map() }

function changeFrames(state: FramesState, change: Change): Frames {
  if (change.type === 'show')
    return change.url === undefined ? { next: state.frames.next, list: [] } : showPage(state.frames, change.url, change)
  if (change.type === 'loaded') return frameLoaded(state.frames, change.key)
  if (change.type === 'late') return frameLate(state.frames, change.key)
  return change.type === 'reload' || change.type === 'start' ? reloadPage(state.frames) : state.frames
}

function reduce(state: FramesState, change: Change): FramesState {
  if (change.type === 'said') {
    const messages = new Map(state.messages)
    for (const { key, message } of change.said) messages.set(key, addMessage(messages.get(key) ?? [], message))
    return { ...state, messages }
  }
  const frames = changeFrames(state, change)
  const isFlood = change.type === 'flood' || (state.isFlood && change.type !== 'start')
  const isStopped = change.type === 'stop' || isFlood || (state.isStopped && change.type !== 'start')
  if (frames === state.frames && isStopped === state.isStopped) return state
  const kept = [...state.messages].filter(([key]) => frames.list.some((frame) => frame.key === key))
  return { frames, isStopped, isFlood, messages: new Map(kept) }
}

export interface PreviewFrames {
  frames: Frames['list']
  /** What the page that is seen has said. */
  messages: readonly NumberedMessage[]
  isStopped: boolean
  isFlood: boolean
  /** The page that is seen does not finish loading. */
  isLate: boolean
  isLoading: boolean
  register: (key: number, element: HTMLIFrameElement | null) => void
  onLoaded: (key: number) => void
  reload: () => void
  stop: () => void
  restart: () => void
}

/** The frames of one preview: which are there, which is seen, and what their pages say. */
export function useFrames(url: string | undefined, isFinal: boolean): PreviewFrames {
  const [state, dispatch] = useReducer(reduce, start)
  const elements = useRef(new Map<number, HTMLIFrameElement>())
  useEffect(() => dispatch({ type: 'show', url, isFinal }), [url, isFinal])

  useEffect(() => {
    const counts = new Map<number, number>()
    let said: { key: number; message: PreviewMessage }[] = []
    let frame: number | undefined
    const listen = (event: MessageEvent<unknown>) => {
      // The origin of a sandboxed page is "null" for all of them: only the window itself tells who speaks.
      const key = [...elements.current].find(([, element]) => element.contentWindow === event.source)?.[0]
      if (key === undefined || event.source === null) return
      const count = (counts.get(key) ?? 0) + 1
      counts.set(key, count)
      if (count === FLOOD) dispatch({ type: 'flood' })
      const message = count > MOST_MESSAGES ? undefined : readPreviewMessage(event.data)
      if (!message) return
      said.push({ key, message })
      // A page may speak a thousand times in a row: the screen is drawn once for all of it.
      frame ??= window.setTimeout(() => {
        frame = undefined
        dispatch({ type: 'said', said })
        said = []
      }, 50)
    }
    window.addEventListener('message', listen)
    return () => {
      window.removeEventListener('message', listen)
      window.clearTimeout(frame)
    }
  }, [])

  const list = state.isStopped ? [] : state.frames.list
  const waitingFor = list.find(({ isLoaded, isLate }) => !isLoaded && !isLate)?.key
  useEffect(() => {
    if (waitingFor === undefined) return undefined
    const timer = window.setTimeout(() => dispatch({ type: 'late', key: waitingFor }), LATE_MS)
    return () => window.clearTimeout(timer)
  }, [waitingFor])

  const seen = list[0]
  const [said] = state.frames.list
  return {
    frames: list,
    messages: (said && state.messages.get(said.key)) ?? [],
    isStopped: state.isStopped,
    isFlood: state.isFlood,
    isLate: seen?.isLate ?? false,
    isLoading: seen !== undefined && !seen.isLoaded,
    register: (key, element) => {
      if (element) elements.current.set(key, element)
      else elements.current.delete(key)
    },
    // The first picture of a page comes a moment after it has loaded; until then the one before it stays.
    onLoaded: (key) =>
      window.setTimeout(() => window.requestAnimationFrame(() => dispatch({ type: 'loaded', key })), PAINT_MS),
    reload: () => dispatch({ type: 'reload' }),
    stop: () => dispatch({ type: 'stop' }),
    restart: () => dispatch({ type: 'start' }),
  }
}
