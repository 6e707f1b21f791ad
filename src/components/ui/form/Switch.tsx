import { Switch as Parts } from 'radix-ui'
import { useId, type ReactNode } from 'react'

export function Switch({
  label,
  hint,
  checked,
  onChange,
}: {
  label: string
  hint?: ReactNode
  checked: boolean
  onChange: (checked: boolean) => void
}) {
  const id = useId()
  return (
    <div className="flex items-start gap-3">
      <Parts.Root
        id={id}
        checked={checked}
        onCheckedChange={onChange}
        {...(hint !== undefined && { 'aria-describedby': `${id}-hint` })}
        className="relative mt-0.5 h-4.5 w-8 shrink-0 rounded-full bg-line-strong transition-colors data-[state=checked]:bg-accent"
      >
        <Parts.Thumb className="block size-3.5 translate-x-0.5 rounded-full bg-white transition-transform data-[state=checked]:translate-x-4" />
      </Parts.Root>
      <div className="min-w-0">
        <label htmlFor={id} className="font-medium">
          {label}
        </label>
        {hint !== undefined && (
          <div id={`${id}-hint`} className="text-xs text-muted">
            {hint}
          </div>
        )}
      </div>
    </div>
  )
}
