import { type ReactNode, useEffect, useState } from 'react'
import type { z } from 'zod'
import { messageOf, readTyped, writeTyped, type TypedAs } from '../../../contract/index.ts'
import { TextArea } from './Field.tsx'

interface TypedFieldProps {
  label: string
  hint?: ReactNode
  placeholder?: string
  typedAs: TypedAs
  limits: z.ZodType
  value: unknown
  onChange: (value: unknown) => void
  /** Shown while the text itself has none. */
  error?: string | undefined
  /** Called when the text gets an error or loses it. */
  onError?: (error: string | undefined) => void
}

function readField(text: string, { typedAs, limits }: Pick<TypedFieldProps, 'typedAs' | 'limits'>) {
  if (text.trim() === '') return { value: undefined }
  try {
    const parsed = limits.safeParse(readTyped(typedAs, text))
    return parsed.success ? { value: parsed.data } : { error: parsed.error.issues[0]?.message ?? 'is not valid' }
  } catch (error) {
    return { error: messageOf(error) }
  }
}

/** Lines, headers or JSON, kept as text so that half-typed JSON is left alone. An invalid one stays, with its error. */
export function TypedField({ typedAs, limits, value, onChange, error, onError, ...field }: TypedFieldProps) {
  const [text, setText] = useState(() => writeTyped(typedAs, value))
  const found = readField(text, { typedAs, limits })
  // The value changed elsewhere, as by a reset.
  const [lastValue, setLastValue] = useState(value)
  if (lastValue !== value) {
    setLastValue(value)
    if (!('value' in found) || writeTyped(typedAs, found.value) !== writeTyped(typedAs, value))
      setText(writeTyped(typedAs, value))
  }
  const own = 'error' in found ? `${field.label} ${found.error}.` : undefined
  useEffect(() => {
    onError?.(own)
    return () => onError?.(undefined)
  }, [own, onError])
  return (
    <TextArea
      {...field}
      rows={2}
      value={text}
      error={own ?? error}
      onChange={(typed) => {
        setText(typed)
        const next = readField(typed, { typedAs, limits })
        if ('value' in next) {
          setLastValue(next.value)
          onChange(next.value)
        }
      }}
    />
  )
}
