import type { RatingScale } from '../../../contract/index.ts'

/** What a line says that a person typed while rating. */
export type Entry =
  | { kind: 'rate'; rating: number; note?: string }
  | { kind: 'skip'; note?: string }
  | { kind: 'note'; note: string }
  | { kind: 'undo' }
  | { kind: 'quit' }
  | { kind: 'unknown' }

export const ENTRY_HELP: Record<RatingScale, string> = {
  points: '0 to 100, s to skip, n TEXT for a note, u to undo, q to stop',
  'pass-fail': 'p to pass, f to fail, s to skip, n TEXT for a note, u to undo, q to stop',
}

/** A rating, a letter or a word, then a note if there is more on the line. */
export function readEntry(line: string, scale: RatingScale): Entry {
  const [, first = '', rest = ''] = /^\s*(\S+)\s*(.*?)\s*$/s.exec(line) ?? []
  const note = rest === '' ? {} : { note: rest }
  const word = first.toLowerCase()
  if (word === 's' || word === 'skip') return { kind: 'skip', ...note }
  if (word === 'u' || word === 'undo') return { kind: 'undo' }
  if (word === 'q' || word === 'quit') return { kind: 'quit' }
  if (word === 'n' || word === 'note') return { kind: 'note', note: rest }
  if (scale === 'pass-fail') {
    if (word === 'p' || word === 'pass') return { kind: 'rate', rating: 1, ...note }
    return word === 'f' || word === 'fail' ? { kind: 'rate', rating: 0, ...note } : { kind: 'unknown' }
  }
  const points = /^\d{1,3}([.,]\d+)?$/.test(word) ? Number(word.replace(',', '.')) : Number.NaN
  return points <= 100 ? { kind: 'rate', rating: points / 100, ...note } : { kind: 'unknown' }
}
