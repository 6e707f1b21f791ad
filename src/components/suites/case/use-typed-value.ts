import { useState } from 'react'
import { isSame } from '../unsaved-draft.ts'

interface TypedValueOptions<T> {
  value: T
  show: (value: T) => string
  parse: (text: string) => T
  onChange: (value: T) => void
}

/**
 * The text of a field whose value is not text. It stays as typed ("1." on the way to "1.5") while it parses to the
 * value; if the value changes elsewhere, the text follows.
 */
export function useTypedValue<T>({
  value,
  show,
  parse,
  onChange,
}: TypedValueOptions<T>): [string, (text: string) => void] {
  const [typed, setTyped] = useState(() => show(value))
  const text = isSame(parse(typed), value) ? typed : show(value)
  const type = (next: string) => {
    setTyped(next)
    const parsed = parse(next)
    if (!isSame(parsed, value)) onChange(parsed)
  }
  return [text, type]
}
