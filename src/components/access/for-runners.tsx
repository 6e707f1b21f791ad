import type { ComponentType, ReactNode } from 'react'
import { useMay } from './session.ts'

/** A control that viewers of a team server do not see: they cannot use it. */
export function forRunners<Props extends object>(Control: ComponentType<Props>): ComponentType<Props> {
  return function ForRunners(props: Props) {
    return useMay('runner') ? <Control {...props} /> : null
  }
}

/** The same for a part of a screen. */
export function RunnersOnly({ children }: { children: ReactNode }) {
  return useMay('runner') ? children : null
}

/** Fields that viewers can read but not change. */
export function EditableByRunners({ children }: { children: ReactNode }) {
  return (
    <fieldset disabled={!useMay('runner')} className="contents">
      {children}
    </fieldset>
  )
}
