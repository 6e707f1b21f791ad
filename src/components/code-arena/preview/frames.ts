/** The frames of one preview, oldest first: the visible one, and at most one that is loading behind it. */
interface Frame {
  /** Ascending: moving a frame in the document would restart its page. */
  key: number
  url: string
  isLoaded: boolean
  /** Did not load in time; shown anyway. */
  isLate: boolean
}

export interface Frames {
  next: number
  list: readonly Frame[]
  /** Loads after the current one: if pages change faster than they load, some must still be shown. */
  waiting?: string | undefined
}

export const noFrames: Frames = { next: 1, list: [] }

/** True for preview URLs of the server: each has its own host under localhost. */
export function isPreviewUrl(url: string): boolean {
  return /^http:\/\/[0-9a-z]+\.localhost:\d{1,5}\/$/.test(url)
}

function add({ next, list }: Frames, url: string): Frames {
  return { next: next + 1, list: [...list.slice(0, 1), { key: next, url, isLoaded: false, isLate: false }] }
}

/** Loads a page behind the visible one. If another is still loading, this one waits, unless it `isFinal`. */
export function showPage(frames: Frames, url: string, { isFinal = false }: { isFinal?: boolean } = {}): Frames {
  const { next, list, waiting } = frames
  if (!isPreviewUrl(url)) return frames
  const last = list.at(-1)
  if (last?.url === url) return waiting === undefined ? frames : { next, list }
  // Back to the visible page: the one loading behind it is no longer needed.
  if (list[0]?.url === url) return { next, list: list.slice(0, 1) }
  const isBusy = last !== undefined && !last.isLoaded && !last.isLate
  return isBusy && !isFinal ? { next, list, waiting: url } : add(frames, url)
}

/** Restarts the page. */
export function reloadPage({ next, list, waiting }: Frames): Frames {
  const url = waiting ?? list.at(-1)?.url
  return url === undefined ? { next, list } : add({ next, list: [] }, url)
}

/** Makes a frame visible, removes earlier ones, and starts loading the waiting page. */
function bringForward({ next, list, waiting }: Frames, frame: Frame): Frames {
  const visible = {
    next,
    list: list.flatMap((other) => (other.key < frame.key ? [] : [other.key === frame.key ? frame : other])),
  }
  return waiting === undefined ? visible : showPage(visible, waiting)
}

export function frameLoaded(frames: Frames, key: number): Frames {
  const frame = frames.list.find((other) => other.key === key)
  return frame ? bringForward(frames, { ...frame, isLoaded: true, isLate: false }) : frames
}

/** Also shows a frame that does not load in time, so that the user can stop it. */
export function frameLate(frames: Frames, key: number): Frames {
  const frame = frames.list.find((other) => other.key === key && !other.isLoaded)
  return frame ? bringForward(frames, { ...frame, isLate: true }) : frames
}
