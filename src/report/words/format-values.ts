/** 1.5 → $1.50; small amounts with two digits that count: $0.00012 */
export function formatMoney(amount: number): string {
  if (amount === 0) return '$0'
  if (amount >= 0.1) return `$${amount.toLocaleString('en', { minimumFractionDigits: 2, maximumFractionDigits: 2 })}`
  return `$${amount.toLocaleString('en', { maximumSignificantDigits: 2, maximumFractionDigits: 12 })}`
}

/** 850 → 850 ms; 12345 → 12.3 s */
export function formatDuration(milliseconds: number): string {
  if (milliseconds < 1000) return `${Math.round(milliseconds)} ms`
  return milliseconds < 60_000 ? `${(milliseconds / 1000).toFixed(1)} s` : `${(milliseconds / 60_000).toFixed(1)} min`
}

/** 2026-11-15 03:24 UTC; nothing for a time that no calendar has. */
export function formatTime(milliseconds: number): string | undefined {
  const date = new Date(milliseconds)
  return Number.isNaN(date.getTime()) ? undefined : `${date.toISOString().slice(0, 16).replace('T', ' ')} UTC`
}

export function formatP(p: number): string {
  return p < 0.001 ? 'p < 0.001' : `p = ${p.toFixed(3)}`
}

export function formatCount(number: number, noun: string): string {
  return `${number.toLocaleString('en')} ${noun}${number === 1 ? '' : 's'}`
}

/** The first so many characters, whole ones only, on one line. */
export function excerpt(text: string, longest: number): string {
  const line = text
    .slice(0, longest * 4)
    .replaceAll(/\s+/g, ' ')
    .trim()
  const characters = [...line]
  return characters.length <= longest && text.length <= longest * 4 ? line : `${characters.slice(0, longest).join('')}…`
}

/** Cut in the middle, where long names differ least. */
export function shortenName(name: string, longest: number): string {
  const characters = [...name]
  if (characters.length <= longest) return name
  const tail = Math.floor((longest - 1) / 2)
  return `${characters.slice(0, longest - 1 - tail).join('')}…${characters.slice(characters.length - tail).join('')}`
}
