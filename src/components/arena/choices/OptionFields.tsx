import { type ReactNode, useCallback, useState, useEffect } from 'react'
import { z } from 'zod'
import {
  asText,
  defaultOf,
  limitsOf,
  rangeOf,
  type Option,
  type Options,
  type TypedAs,
} from '../../../contract/index.ts'
import { isOffered, type ArenaState } from '../../../stores/arenaStore.ts'
import { isTeamServer } from '../../access/session.ts'
import { SelectField, SelectOptions, TextField } from '../../ui/form/Field.tsx'
import { TypedField } from '../../ui/form/TypedField.tsx'
import { Section } from '../../ui/Page.tsx'
import { Switch } from '../../ui/form/Switch.tsx'
import { classes } from '../../ui/classes.ts'
import { readNumber, type FieldRange } from './read-number.ts'
import { useArena } from '../use-arena.ts'

/** While a field has an error, nothing can be started: a mistyped budget must not become no budget. */
function useFieldError(label: string, error: string | undefined): void {
  const setFieldError = useArena((state) => state.setFieldError)
  useEffect(() => {
    setFieldError(label, error)
    return () => setFieldError(label, undefined)
  }, [label, error, setFieldError])
}

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

/**
 * A number kept as text, so that a half-typed one is left alone. An invalid one stays in the field with an error and
 * blocks the run.
 */
function NumberField({ label, value, onChange, hint, placeholder, isLocked, className, ...range }: NumberFieldProps) {
  const [text, setText] = useState(asText(value))
  const read = readNumber(text, range)
  const error = 'error' in read ? read.error : undefined

  // The value changed elsewhere (Benchmark Mode, a reset): update the text, unless it already means the same number.
  const [lastValue, setLastValue] = useState(value)
  if (lastValue !== value) {
    setLastValue(value)
    if (!('value' in read) || read.value !== value) setText(asText(value))
  }
  useFieldError(label, isLocked ? undefined : error)

  return (
    <TextField
      label={label}
      hint={hint}
      inputMode="decimal"
      value={isLocked ? asText(value) : text}
      error={isLocked || error === undefined ? undefined : `${label} ${error}.`}
      {...(placeholder !== undefined && { placeholder })}
      className={classes(className, isLocked && '[&_input]:bg-sunken [&_input]:text-muted')}
      {...(isLocked && { readOnly: true, 'aria-readonly': true })}
      onChange={(typed) => {
        setText(typed)
        const next = readNumber(typed, range)
        if ('value' in next && next.value !== value) {
          setLastValue(next.value)
          onChange(next.value)
        }
      }}
    />
  )
}

interface OptionFieldProps {
  option: Option
  value: unknown
  onChange: (value: unknown) => void
  /** Replaces what the option says of itself. */
  hint?: ReactNode
  /** Read-only; `hint` says why. */
  isLocked?: boolean
}

function OptionTyped({ option, typedAs, value, onChange, hint }: OptionFieldProps & { typedAs: TypedAs }) {
  const { label, unset } = option
  const setFieldError = useArena((state) => state.setFieldError)
  const onError = useCallback((error: string | undefined) => setFieldError(label, error), [label, setFieldError])
  return (
    <TypedField
      {...{ label, hint, typedAs, value, onChange, onError }}
      limits={limitsOf(option)}
      {...(unset !== undefined && { placeholder: String(unset) })}
    />
  )
}

function OptionText({ option, value, onChange, hint }: OptionFieldProps) {
  const text = typeof value === 'string' ? value : ''
  const parsed = limitsOf(option).safeParse(text)
  const error = text === '' || parsed.success ? undefined : parsed.error.issues[0]?.message
  useFieldError(option.label, error)
  return (
    <TextField
      label={option.label}
      hint={hint}
      error={error === undefined ? undefined : `${option.label} ${error}.`}
      {...(option.unset !== undefined && { placeholder: String(option.unset) })}
      value={text}
      onChange={(typed) => onChange(typed.trimStart() || undefined)}
    />
  )
}

/** The control of an option, chosen by what its values are. */
export function OptionField({ option, value, onChange, isLocked = false, ...props }: OptionFieldProps) {
  const { label, unit, unset } = option
  // An empty hint is none.
  const hint = (props.hint ?? option.hint ?? option.field.description) || undefined
  const limits = limitsOf(option)
  const values = limits instanceof z.ZodEnum ? limits.options.map(String) : []
  const range = rangeOf(option)
  if (limits instanceof z.ZodBoolean || values.length === 1) {
    const setOn = (isOn: boolean) => onChange(values.length === 0 ? isOn : isOn ? values[0] : undefined)
    return (
      <div className="col-span-full">
        <Switch label={label} hint={hint} checked={value !== undefined && value !== false} onChange={setOn} />
      </div>
    )
  }
  if (option.typedAs !== undefined)
    return <OptionTyped {...{ option, typedAs: option.typedAs, value, onChange, hint }} />
  if (values.length > 0)
    return (
      <SelectField
        label={label}
        hint={hint}
        value={String(value ?? defaultOf(option) ?? (unset === undefined ? values[0] : ''))}
        onChange={(chosen) => onChange(chosen || undefined)}
      >
        {unset !== undefined && <option value="">{unset}</option>}
        <SelectOptions of={values.map((name) => [name, option.choices?.[name] ?? name])} />
      </SelectField>
    )
  if (!range) return <OptionText {...{ option, value, onChange, hint }} />
  const fallback = typeof unset === 'number' ? unset : undefined
  return (
    <NumberField
      label={unit === undefined ? label : `${label} in ${unit}`}
      hint={hint}
      value={typeof value === 'number' ? value : fallback}
      isOptional={fallback === undefined && defaultOf(option) === undefined}
      isLocked={isLocked}
      {...(typeof unset === 'string' && { placeholder: unset })}
      {...range}
      onChange={(typed) => onChange(typed === fallback ? undefined : typed)}
    />
  )
}

interface OptionFieldsProps {
  options: Options
  group: NonNullable<Option['group']>
  state: Pick<ArenaState, 'choices' | 'choose'>
  /** A model plays the user in the suite. */
  hasUser?: boolean
}

/** The controls of a group of options. */
export function OptionFields({ options, group, state: { choices, choose }, hasUser = false }: OptionFieldsProps) {
  const values = new Map<string, unknown>(Object.entries(choices))
  return Object.entries(options)
    .filter(
      ([, option]) =>
        option.group === group && isOffered(option, choices, hasUser) && (isTeamServer || !option.isForTeams),
    )
    .map(([name, option]) => (
      <OptionField
        key={name}
        option={option}
        value={values.get(name)}
        onChange={(value) => choose({ [name]: value })}
      />
    ))
}

/** A section of the form with a group of options. */
export function OptionSection(props: OptionFieldsProps) {
  return (
    <Section title={props.group}>
      <div className="grid grid-cols-2 gap-x-3 gap-y-2 sm:grid-cols-3 xl:grid-cols-2">
        <OptionFields {...props} />
      </div>
    </Section>
  )
}
