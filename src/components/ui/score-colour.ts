import type { CSSProperties } from 'react'

/**
 * One hue, from almost nothing to full: safe for every kind of colour vision, and the number always stands beside it. The
 * steps come from mixing the accent into the surface, so that light and dark need no second scale.
 */
export function scoreStyle(score: number | undefined): CSSProperties {
  if (score === undefined) return {}
  const share = Math.round(6 + 44 * Math.max(0, Math.min(1, score)))
  return { backgroundColor: `color-mix(in oklab, var(--accent) ${share}%, var(--surface))` }
}
