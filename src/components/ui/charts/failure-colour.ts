/** From these scores on, 0 to 1, the next lighter colour. */
const BANDS = [0.2, 0.5, 0.75]

/** What the grid's legend says of each colour, the strongest first. */
export const failureLevels = [
  { level: 4, from: 0, to: 19 },
  { level: 3, from: 20, to: 49 },
  { level: 2, from: 50, to: 74 },
  { level: 1, from: 75, to: 100 },
] as const

/** How much a failed answer stands out, 4 for the lowest scores. Answers that passed have no colour. */
export function failureLevel(score: number): 1 | 2 | 3 | 4 {
  const passed = BANDS.filter((limit) => score >= limit - 1e-9).length
  return passed === 0 ? 4 : passed === 1 ? 3 : passed === 2 ? 2 : 1
}

export const failureFill: Record<1 | 2 | 3 | 4, string> = {
  1: 'bg-fail-1',
  2: 'bg-fail-2',
  3: 'bg-fail-3',
  4: 'bg-fail-4',
}
