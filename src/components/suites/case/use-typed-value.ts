import { useState } from 'react'
import { isSame } from '../unsaved-draft.ts'

interface Typed<T> {
  value: T
  show: (value: T) => string
  parse: (text: string) => T
  onChange: (value: T) => void
}

/**
 * The text of a field whose value is not text. What is typed stays as typed ("1." on the way to "1.5") as long as it means the
 * value; when the value changes from elsewhere the field follows.
 */
export function useTypedValue<T>({ value, show, parse, onChange }: Typed<T>): [string, (text: string) => void] {
  const [typed, setTyped] = useState(() => show(value))
  const text = isSame(parse(typed), value) ? typed : show(value)
  const type = (next: string) => {
    setTyped(next)
    const parsed = parse(next)
    if (!isSame(parsed, value)) onChange(parsed)
  }
  return [text, type]
}
