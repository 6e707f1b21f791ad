/** Reads a budget as people write it: `2`, `0.50`, `$1`. Nothing means no limit. */
export function readMaxCost(text: string): { dollars: number } | { problem: string } | { isUnlimited: true } {
  const written = text.trim().replace(/^\$/, '')
  if (written === '') return { isUnlimited: true }
  const dollars = Number(written)
  return dollars > 0 && Number.isFinite(dollars) ? { dollars } : { problem: 'must be more than 0 dollars' }
}
