import {
  useId,
  type InputHTMLAttributes,
  type ReactNode,
  type SelectHTMLAttributes,
  type TextareaHTMLAttributes,
} from 'react'
import { classes } from '../classes.ts'

const box =
  'w-full rounded-md border border-line-strong/60 bg-surface px-2 text-ink placeholder:text-muted disabled:bg-sunken disabled:text-muted aria-invalid:border-danger'

interface FieldProps {
  label: string
  hint?: ReactNode
  error?: string | undefined
  /** The label is for screen readers only. */
  isLabelHidden?: boolean | undefined
  className?: string | undefined
}

/** The attributes of a control, which reports what was typed or chosen. */
type FieldOf<Attributes> = FieldProps &
  Omit<Attributes, 'className' | 'onChange'> & { onChange?: ((value: string) => void) | undefined }

/** Connects the control to its label, hint and error. */
interface ControlProps {
  id: string
  'aria-describedby'?: string
  'aria-invalid'?: true
}

/** A control with its label, hint and error, connected for screen readers. */
function Field({
  label,
  hint,
  error,
  isLabelHidden,
  className,
  children,
}: FieldProps & { children: (control: ControlProps) => ReactNode }) {
  const id = useId()
  const notes = [hint !== undefined && `${id}-hint`, error !== undefined && `${id}-error`].filter(Boolean).join(' ')
  return (
    <div className={classes('flex min-w-0 flex-col gap-1', className)}>
      <label htmlFor={id} className={isLabelHidden ? 'sr-only' : 'text-[13px] font-medium'}>
        {label}
      </label>
      {children({
        id,
        ...(notes !== '' && { 'aria-describedby': notes }),
        ...(error !== undefined && { 'aria-invalid': true }),
      })}
      {hint !== undefined && (
        <div id={`${id}-hint`} className="text-xs text-muted">
          {hint}
        </div>
      )}
      {error !== undefined && (
        <div id={`${id}-error`} className="text-xs text-danger">
          {error}
        </div>
      )}
    </div>
  )
}

/** Separates what the field shows from the attributes of its control. */
function splitProps<Props extends FieldOf<object>>(props: Props) {
  const { label, hint, error, isLabelHidden, className, onChange, ...attributes } = props
  return {
    field: { label, hint, error, isLabelHidden, className },
    attributes: { ...attributes, onChange: (event: { target: { value: string } }) => onChange?.(event.target.value) },
  }
}

export function TextField(props: FieldOf<InputHTMLAttributes<HTMLInputElement>>) {
  const { field, attributes } = splitProps(props)
  return (
    <Field {...field}>
      {(control) => (
        <input
          type="text"
          autoComplete="off"
          spellCheck={false}
          {...attributes}
          {...control}
          className={classes(box, 'h-8')}
        />
      )}
    </Field>
  )
}

export function TextArea(props: FieldOf<TextareaHTMLAttributes<HTMLTextAreaElement>>) {
  const { field, attributes } = splitProps(props)
  return (
    <Field {...field}>
      {(control) => (
        <textarea
          rows={4}
          spellCheck={false}
          {...attributes}
          {...control}
          className={classes(box, 'resize-y py-1.5 font-mono text-[13px]')}
        />
      )}
    </Field>
  )
}

/** The options of a select: values, or values with their labels. */
export function SelectOptions({
  of,
}: {
  of: readonly (string | readonly [value: string | number, label: string])[] | undefined
}) {
  return of?.map((option) => {
    const [value, label] = typeof option === 'string' ? [option, option] : option
    return (
      <option key={value} value={value}>
        {label}
      </option>
    )
  })
}

/** The browser's own select: fast, familiar, and works everywhere. */
export function SelectField(props: FieldOf<SelectHTMLAttributes<HTMLSelectElement>>) {
  const { field, attributes } = splitProps(props)
  return (
    <Field {...field}>
      {(control) => <select {...attributes} {...control} className={classes(box, 'h-8 pr-7')} />}
    </Field>
  )
}

export function Checkbox({ label, className, ...rest }: { label: ReactNode } & InputHTMLAttributes<HTMLInputElement>) {
  return (
    <label className={classes('inline-flex items-center gap-2', className)}>
      <input type="checkbox" {...rest} className="size-4 shrink-0 accent-(--accent)" />
      <span className="min-w-0">{label}</span>
    </label>
  )
}
