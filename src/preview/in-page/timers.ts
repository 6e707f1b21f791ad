/** For the driver of the screenshots, which cannot see what a page has yet to do: it asks, and the page answers at once. */
export const TIMERS_QUESTION = 'benchmaker-timers?'
export const TIMERS_ANSWER = 'benchmaker-timers'

/** A timer may run late, and what it changes takes a moment. */
const GRACE_MS = 100

/** A page with more is not waited for: the rest is not noted. */
const MOST_TIMERS = 1000

/** In the time of `performance.now()`. */
export interface PendingTimers {
  /** When timers are or were just due; of an interval, its first tick. */
  due: number[]
  hasInterval: boolean
  /** It asks for one frame after another. */
  hasFrames: boolean
}

export function isPendingTimers(detail: unknown): detail is PendingTimers {
  return typeof detail === 'object' && detail !== null && 'due' in detail && Array.isArray(detail.due)
}

/** Keeps account of the page's timers and frames. Timers are left as they are: one that was due is taken to have run. */
export function watchTimers(): void {
  const { setTimeout, setInterval, clearTimeout, clearInterval, requestAnimationFrame, cancelAnimationFrame } = window
  const due = new Map<number, number>()
  const intervals = new Set<number>()
  /** A page that draws slowly waits for its next frame most of the time. */
  const frames = new Set<number>()
  let lastFrame = -Infinity

  const note = (id: number, delay: number | undefined): number => {
    if (due.size < MOST_TIMERS) due.set(id, performance.now() + Math.max(0, Number(delay) || 0))
    return id
  }
  const forget = (id: number | undefined): void => {
    if (id === undefined) return
    due.delete(id)
    intervals.delete(id)
  }

  Object.assign(window, {
    setTimeout: (handler: TimerHandler, delay?: number, ...rest: unknown[]) =>
      note(setTimeout(handler, delay, ...rest), delay),
    setInterval: (handler: TimerHandler, delay?: number, ...rest: unknown[]) => {
      const id = note(setInterval(handler, delay, ...rest), delay)
      intervals.add(id)
      return id
    },
    clearTimeout: (id?: number) => {
      forget(id)
      clearTimeout(id)
    },
    clearInterval: (id?: number) => {
      forget(id)
      clearInterval(id)
    },
    requestAnimationFrame: (callback: FrameRequestCallback) => {
      lastFrame = performance.now()
      const id = requestAnimationFrame((time) => {
        frames.delete(id)
        callback(time)
      })
      frames.add(id)
      return id
    },
    cancelAnimationFrame: (id: number) => {
      frames.delete(id)
      cancelAnimationFrame(id)
    },
  })

  document.addEventListener(TIMERS_QUESTION, () => {
    const recent = performance.now() - GRACE_MS
    for (const [id, time] of due) if (time < recent) due.delete(id)
    const detail: PendingTimers = {
      due: [...due.values()],
      hasInterval: intervals.size > 0,
      hasFrames: frames.size > 0 || lastFrame > recent,
    }
    document.dispatchEvent(new CustomEvent(TIMERS_ANSWER, { detail }))
  })
}
