/** Digits typed so far: one digit counts tens (`8` is 80), two are exact (`85`), and only `100` has three. */
export function typeDigit(typed: string, digit: string): string {
  const next = typed + digit
  return next === '100' || /^\d{1,2}$/.test(next) ? next : digit
}

/** The points of what was typed; undefined if nothing was. */
export function pointsOf(typed: string): number | undefined {
  if (typed === '') return undefined
  return typed.length === 1 ? Number(typed) * 10 : Number(typed)
}

/** What a key does while an answer is shown. */
export type RatingAction =
  | { kind: 'type'; digit: string }
  | { kind: 'clear' }
  | { kind: 'rate'; rating: number }
  | { kind: 'skip' | 'note' | 'undo' }

export function readKey(
  key: string,
  { scale, typed }: { scale: 'points' | 'pass-fail'; typed: string },
): RatingAction | undefined {
  const lower = key.toLowerCase()
  if (lower === 's') return { kind: 'skip' }
  if (lower === 'n') return { kind: 'note' }
  if (lower === 'u') return { kind: 'undo' }
  if (scale === 'pass-fail') {
    if (lower === 'p') return { kind: 'rate', rating: 1 }
    return lower === 'f' ? { kind: 'rate', rating: 0 } : undefined
  }
  if (/^\d$/.test(key)) return { kind: 'type', digit: key }
  if (key === 'Backspace' || key === 'Escape') return { kind: 'clear' }
  const points = pointsOf(typed)
  return key === 'Enter' && points !== undefined ? { kind: 'rate', rating: points / 100 } : undefined
}
