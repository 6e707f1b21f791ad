import { useState, type ReactNode } from 'react'
import { classes } from '../../ui/classes.ts'
import { TextField } from '../../ui/Field.tsx'
import { readNumber, type FieldRange } from './read-number.ts'
import { useFieldError } from './use-field-error.ts'

interface NumberFieldProps extends FieldRange {
  label: string
  value: number | undefined
  onChange: (value: number | undefined) => void
  hint?: ReactNode
  placeholder?: string
  /** Read-only; `hint` says why. */
  isLocked?: boolean
  className?: string
}

const write = (value: number | undefined) => (value === undefined ? '' : String(value))

/**
 * A number kept as text, so that a half-typed one is left alone. An invalid one stays in the field with an error and
 * blocks the run.
 */
export function NumberField({
  label,
  value,
  onChange,
  hint,
  placeholder,
  isLocked,
  className,
  ...range
}: NumberFieldProps) {
  const [text, setText] = useState(write(value))
  const read = readNumber(text, range)
  const error = 'error' in read ? read.error : undefined

  // The value changed elsewhere (Benchmark Mode, a reset): update the text, unless it already means the same number.
  const [lastValue, setLastValue] = useState(value)
  if (lastValue !== value) {
    setLastValue(value)
    if (!('value' in read) || read.value !== value) setText(write(value))
  }
  useFieldError(label, isLocked ? undefined : error)

  return (
    <TextField
      label={label}
      hint={hint}
      inputMode="decimal"
      value={isLocked ? write(value) : text}
      error={isLocked || error === undefined ? undefined : `${label} ${error}.`}
      {...(placeholder !== undefined && { placeholder })}
      className={classes(className, isLocked && '[&_input]:bg-sunken [&_input]:text-muted')}
      {...(isLocked && { readOnly: true, 'aria-readonly': true })}
      onChange={({ target }) => {
        setText(target.value)
        const next = readNumber(target.value, range)
        if ('value' in next && next.value !== value) {
          setLastValue(next.value)
          onChange(next.value)
        }
      }}
    />
  )
}
