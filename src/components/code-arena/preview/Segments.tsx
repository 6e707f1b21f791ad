import { ToggleGroup } from 'radix-ui'
import type { ReactNode } from 'react'

interface SegmentsProps<T extends string> {
  label: string
  value: T
  options: readonly { value: T; label: ReactNode; name?: string }[]
  onChange: (value: T) => void
}

/** A segmented control: one tab stop, arrows move. */
export function Segments<T extends string>({ label, value, options, onChange }: SegmentsProps<T>) {
  const choose = (chosen: string) => {
    const option = options.find((other) => other.value === chosen)
    if (option) onChange(option.value)
  }
  return (
    <ToggleGroup.Root
      type="single"
      aria-label={label}
      value={value}
      onValueChange={choose}
      className="inline-flex rounded-md border border-line bg-surface p-0.5"
    >
      {options.map((option) => (
        <ToggleGroup.Item
          key={option.value}
          value={option.value}
          {...(option.name !== undefined && { 'aria-label': option.name, title: option.name })}
          className="inline-flex h-7 items-center gap-1.5 rounded px-2 text-muted tabular-nums hover:text-ink data-[state=on]:bg-accent-soft data-[state=on]:font-medium data-[state=on]:text-accent-ink"
        >
          {option.label}
        </ToggleGroup.Item>
      ))}
    </ToggleGroup.Root>
  )
}
