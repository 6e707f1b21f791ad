const KEY = 'benchmaker-rater'

/** The name that was used last in this browser. */
export function readRaterName(): string {
  try {
    return window.localStorage.getItem(KEY) ?? ''
  } catch {
    return ''
  }
}

export function keepRaterName(name: string): void {
  try {
    window.localStorage.setItem(KEY, name)
  } catch {
    // A browser that stores nothing asks again.
  }
}
