import { clamp } from '../../../contract/index.ts'
import type { CSSProperties } from 'react'

/**
 * A single-hue scale, safe for all kinds of colour vision. It mixes the accent into the surface, so that one scale
 * serves light and dark.
 */
export function scoreStyle(score: number | undefined): CSSProperties {
  if (score === undefined) return {}
  const share = Math.round(6 + 44 * clamp(score))
  return { backgroundColor: `color-mix(in oklab, var(--accent) ${share}%, var(--surface))` }
}
