import { useEffect, useReducer, useRef } from 'react'
import { useIsTyping } from './typing-field.ts'
import { frameLate, frameLoaded, noFrames, reloadPage, showPage, type Frames } from './frames.ts'
import {
  addMessage,
  MAX_MESSAGES,
  readPreviewMessage,
  type NumberedMessage,
  type PreviewMessage,
} from './preview-messages.ts'

/** A page that takes longer than this to load is probably stuck. */
const LATE_MS = 2_500

/** The time from loading a page to its first paint. */
const PAINT_MS = 60

/** A page that sends more messages is stopped, because each one takes time; the preview script never sends so many. */
const FLOOD_LIMIT = 500

interface FramesState {
  frames: Frames
  isStopped: boolean
  /** Stopped because it sent too many messages. */
  isFlood: boolean
  /** By frame key; removed with the frame. */
  messages: ReadonlyMap<number, readonly NumberedMessage[]>
}

type Change =
  | { type: 'show'; url: string | undefined; isFinal: boolean }
  | { type: 'loaded' | 'late'; key: number }
  | { type: 'reload' | 'stop' | 'flood' | 'start' }
  | { type: 'messages'; received: { key: number; message: PreviewMessage }[] }

const start: FramesState = { frames: noFrames, isStopped: false, isFlood: false, messages: new Map() }

function changeFrames(state: FramesState, change: Change): Frames {
  if (change.type === 'show')
    return change.url === undefined ? { next: state.frames.next, list: [] } : showPage(state.frames, change.url, change)
  if (change.type === 'loaded') return frameLoaded(state.frames, change.key)
  if (change.type === 'late') return frameLate(state.frames, change.key)
  return change.type === 'reload' || change.type === 'start' ? reloadPage(state.frames) : state.frames
}

function reduce(state: FramesState, change: Change): FramesState {
  if (change.type === 'messages') {
    const messages = new Map(state.messages)
    for (const { key, message } of change.received) messages.set(key, addMessage(messages.get(key) ?? [], message))
    return { ...state, messages }
  }
  const frames = changeFrames(state, change)
  const isFlood = change.type === 'flood' || (state.isFlood && change.type !== 'start')
  const isStopped = change.type === 'stop' || isFlood || (state.isStopped && change.type !== 'start')
  if (frames === state.frames && isStopped === state.isStopped) return state
  const remaining = [...state.messages].filter(([key]) => frames.list.some((frame) => frame.key === key))
  return { frames, isStopped, isFlood, messages: new Map(remaining) }
}

export interface PreviewFrames {
  frames: Frames['list']
  /** The messages of the visible page. */
  messages: readonly NumberedMessage[]
  isStopped: boolean
  isFlood: boolean
  /** Removed while someone types into a field of the app, so that the page cannot take the keyboard; it starts again afterwards. */
  isPaused: boolean
  /** The visible page did not finish loading in time. */
  isLate: boolean
  isLoading: boolean
  register: (key: number, element: HTMLIFrameElement | null) => void
  onLoaded: (key: number) => void
  reload: () => void
  stop: () => void
  restart: () => void
}

/** The frames of one preview and the messages of their pages. */
export function useFrames(url: string | undefined, isFinal: boolean): PreviewFrames {
  const [state, dispatch] = useReducer(reduce, start)
  const elements = useRef(new Map<number, HTMLIFrameElement>())
  useEffect(() => dispatch({ type: 'show', url, isFinal }), [url, isFinal])

  useEffect(() => {
    const counts = new Map<number, number>()
    let received: { key: number; message: PreviewMessage }[] = []
    let timer: number | undefined
    const listen = (event: MessageEvent<unknown>) => {
      // Every sandboxed page has the origin "null", so only the window identifies the sender.
      const key = [...elements.current].find(([, element]) => element.contentWindow === event.source)?.[0]
      if (key === undefined || event.source === null) return
      const count = (counts.get(key) ?? 0) + 1
      counts.set(key, count)
      if (count === FLOOD_LIMIT) dispatch({ type: 'flood' })
      const message = count > MAX_MESSAGES ? undefined : readPreviewMessage(event.data)
      if (!message) return
      received.push({ key, message })
      // A page can send a thousand messages in a row: batch them into one render.
      timer ??= window.setTimeout(() => {
        timer = undefined
        dispatch({ type: 'messages', received })
        received = []
      }, 50)
    }
    window.addEventListener('message', listen)
    return () => {
      window.removeEventListener('message', listen)
      window.clearTimeout(timer)
    }
  }, [])

  const isTyping = useIsTyping()
  const list = state.isStopped || isTyping ? [] : state.frames.list
  const waitingFor = list.find(({ isLoaded, isLate }) => !isLoaded && !isLate)?.key
  useEffect(() => {
    if (waitingFor === undefined) return undefined
    const timer = window.setTimeout(() => dispatch({ type: 'late', key: waitingFor }), LATE_MS)
    return () => window.clearTimeout(timer)
  }, [waitingFor])

  const visible = list[0]
  const [first] = state.frames.list
  return {
    frames: list,
    messages: (first && state.messages.get(first.key)) ?? [],
    isStopped: state.isStopped,
    isFlood: state.isFlood,
    isPaused: isTyping && !state.isStopped && state.frames.list.length > 0,
    isLate: visible?.isLate ?? false,
    isLoading: visible !== undefined && !visible.isLoaded,
    register: (key, element) => {
      if (element) elements.current.set(key, element)
      else elements.current.delete(key)
    },
    // A page paints shortly after it has loaded; until then the previous one stays visible.
    onLoaded: (key) =>
      window.setTimeout(() => window.requestAnimationFrame(() => dispatch({ type: 'loaded', key })), PAINT_MS),
    reload: () => dispatch({ type: 'reload' }),
    stop: () => dispatch({ type: 'stop' }),
    restart: () => dispatch({ type: 'start' }),
  }
}
