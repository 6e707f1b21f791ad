/** Frames of one preview: the one that is seen, and at most one that loads behind it. In the order in which they were made. */
interface Frame {
  /** Counts up: a frame must never be moved in the document, or its page would begin anew. */
  key: number
  url: string
  isLoaded: boolean
  /** Did not load in time: shown all the same. */
  isLate: boolean
}

export interface Frames {
  next: number
  list: readonly Frame[]
  /** To be loaded when the one that loads now has come: where pages change faster than they load, some must be seen. */
  waiting?: string | undefined
}

export const noFrames: Frames = { next: 1, list: [] }

/** Only what the server gives: a host of its own under localhost. */
export function isPreviewUrl(url: string): boolean {
  return /^http:\/\/[0-9a-z]+\.localhost:\d{1,5}\/$/.test(url)
}

function add({ next, list }: Frames, url: string): Frames {
  return { next: next + 1, list: [...list.slice(0, 1), { key: next, url, isLoaded: false, isLate: false }] }
}

/** The page to show now, loaded behind the one that is seen. One that still loads is waited for, unless the new one `isFinal`. */
export function showPage(frames: Frames, url: string, { isFinal = false }: { isFinal?: boolean } = {}): Frames {
  const { next, list, waiting } = frames
  if (!isPreviewUrl(url)) return frames
  const last = list.at(-1)
  if (last?.url === url) return waiting === undefined ? frames : { next, list }
  // Back to what is seen: what loads behind it is no longer wanted.
  if (list[0]?.url === url) return { next, list: list.slice(0, 1) }
  const isBusy = last !== undefined && !last.isLoaded && !last.isLate
  return isBusy && !isFinal ? { next, list, waiting: url } : add(frames, url)
}

/** The same page from its beginning. */
export function reloadPage({ next, list, waiting }: Frames): Frames {
  const url = waiting ?? list.at(-1)?.url
  return url === undefined ? { next, list } : add({ next, list: [] }, url)
}

/** The frame is seen from now on; those before it go, and what waits may load. */
function comeForward({ next, list, waiting }: Frames, frame: Frame): Frames {
  const seen = {
    next,
    list: list.flatMap((other) => (other.key < frame.key ? [] : [other.key === frame.key ? frame : other])),
  }
  return waiting === undefined ? seen : showPage(seen, waiting)
}

export function frameLoaded(frames: Frames, key: number): Frames {
  const frame = frames.list.find((other) => other.key === key)
  return frame ? comeForward(frames, { ...frame, isLoaded: true, isLate: false }) : frames
}

/** A frame that does not load in time is seen too: its user must be able to stop it. */
export function frameLate(frames: Frames, key: number): Frames {
  const frame = frames.list.find((other) => other.key === key && !other.isLoaded)
  return frame ? comeForward(frames, { ...frame, isLate: true }) : frames
}
