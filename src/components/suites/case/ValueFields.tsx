import { TextArea, TextField } from '../../ui/form/Field.tsx'
import {
  findJsonError,
  parseJsonText,
  parseLines,
  parseNumberText,
  parsePoints,
  parseTags,
  showJson,
  showLines,
  showPoints,
  showTags,
} from './option-fields.ts'
import { textOf } from '../suite-draft.ts'
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
function useTypedValue<T>({ value, show, parse, onChange }: TypedValueOptions<T>): [string, (text: string) => void] {
  const [typed, setTyped] = useState(() => show(value))
  const text = isSame(parse(typed), value) ? typed : show(value)
  const type = (next: string) => {
    setTyped(next)
    const parsed = parse(next)
    if (!isSame(parsed, value)) onChange(parsed)
  }
  return [text, type]
}

interface ValueFieldProps {
  label: string
  hint?: string | undefined
  error?: string | undefined
  value: unknown
  onChange: (value: unknown) => void
  placeholder?: string
  className?: string
  isLabelHidden?: boolean
}

export function NumberField({ value, onChange, ...rest }: ValueFieldProps) {
  const [text, type] = useTypedValue({ value, show: textOf, parse: parseNumberText, onChange })
  return <TextField {...rest} inputMode="decimal" value={text} onChange={type} />
}

/** A score in points, 0 to 100. */
export function PointsField({ value, onChange, ...rest }: ValueFieldProps) {
  const [text, type] = useTypedValue({ value, show: showPoints, parse: parsePoints, onChange })
  return <TextField {...rest} inputMode="decimal" value={text} onChange={type} />
}

export function TagField({ value, onChange, ...rest }: ValueFieldProps) {
  const [text, type] = useTypedValue({ value, show: showTags, parse: parseTags, onChange })
  return <TextField {...rest} value={text} onChange={type} />
}

export function LinesField({ value, onChange, ...rest }: ValueFieldProps) {
  const [text, type] = useTypedValue({ value, show: showLines, parse: parseLines, onChange })
  return <TextArea {...rest} value={text} onChange={type} />
}

/** Lists and objects as JSON text; invalid JSON stays as typed, with an error. */
export function JsonField({ value, onChange, error, rows, ...rest }: ValueFieldProps & { rows?: number }) {
  const [text, type] = useTypedValue({ value, show: showJson, parse: parseJsonText, onChange })
  return (
    <TextArea
      {...rest}
      error={findJsonError(text) ?? error}
      rows={rows ?? Math.min(16, Math.max(3, text.split('\n').length))}
      value={text}
      onChange={type}
    />
  )
}
