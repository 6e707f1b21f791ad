import { Tabs as Parts } from 'radix-ui'
import type { ReactNode } from 'react'

interface Tab {
  id: string
  label: ReactNode
  content: ReactNode
}

/** `value` usually comes from the address, so that a reload shows the same tab. */
export function Tabs({
  label,
  tabs,
  value,
  onChange,
}: {
  label: string
  tabs: Tab[]
  value: string
  onChange: (id: string) => void
}) {
  return (
    <Parts.Root value={value} onValueChange={onChange} className="flex min-w-0 flex-col gap-3">
      <Parts.List aria-label={label} className="flex gap-1 overflow-x-auto border-b border-line">
        {tabs.map((tab) => (
          <Parts.Trigger
            key={tab.id}
            value={tab.id}
            className="-mb-px border-b-2 border-transparent px-3 py-1.5 whitespace-nowrap text-muted hover:text-ink data-[state=active]:border-accent data-[state=active]:font-medium data-[state=active]:text-ink"
          >
            {tab.label}
          </Parts.Trigger>
        ))}
      </Parts.List>
      {tabs.map((tab) => (
        <Parts.Content key={tab.id} value={tab.id} className="min-w-0" tabIndex={-1}>
          {tab.id === value && tab.content}
        </Parts.Content>
      ))}
    </Parts.Root>
  )
}
