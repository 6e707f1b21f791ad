import type { ComponentType } from 'react'
import { useMay } from './session.ts'

/** A control that viewers of a team server do not see: they cannot use it. */
export function forRunners<Props extends object>(Control: ComponentType<Props>): ComponentType<Props> {
  return function ForRunners(props: Props) {
    return useMay('runner') ? <Control {...props} /> : null
  }
}
