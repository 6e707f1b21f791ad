import { Tooltip as Parts } from 'radix-ui'
import type { ReactNode } from 'react'

/** More about what is there already: nothing may be found only here. `children` is one focusable element. */
export function Tooltip({ text, children }: { text: ReactNode; children: ReactNode }) {
  return (
    <Parts.Provider delayDuration={200}>
      <Parts.Root>
        <Parts.Trigger asChild>{children}</Parts.Trigger>
        <Parts.Portal>
          <Parts.Content sideOffset={4} collisionPadding={8} className="z-50 max-w-80 rounded-md border border-line bg-surface px-2 py-1.5 text-xs shadow-lg">
            {text}
          </Parts.Content>
        </Parts.Portal>
      </Parts.Root>
    </Parts.Provider>
  )
}
