interface RadioGroupProps<Id extends string> {
  label: string
  name: string
  options: readonly { id: Id; label: string }[]
  value: Id
  onChange: (value: Id) => void
  disabled?: boolean
}

/** A choice of one among a few, side by side. */
export function RadioGroup<Id extends string>({
  label,
  name,
  options,
  value,
  onChange,
  disabled = false,
}: RadioGroupProps<Id>) {
  return (
    <div role="radiogroup" aria-label={label} className="flex flex-wrap gap-x-6 gap-y-2">
      {options.map((option) => (
        <label key={option.id} className="inline-flex min-h-6 items-center gap-2">
          <input
            type="radio"
            name={name}
            value={option.id}
            checked={value === option.id}
            disabled={disabled}
            onChange={() => onChange(option.id)}
            className="size-4 accent-(--accent)"
          />
          {option.label}
        </label>
      ))}
    </div>
  )
}
