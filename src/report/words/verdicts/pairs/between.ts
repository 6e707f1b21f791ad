import { formatScore } from '../../numbers.ts'

/** `between b +3.0 and a +8.2 points` */
export function describeBetween(
  { modelA, modelB }: { modelA: string; modelB: string },
  [low, high]: readonly [number, number],
): string {
  const nameEnd = (end: number) => {
    const points = formatScore(Math.abs(end))
    return points === formatScore(0) ? points : `${end > 0 ? modelA : modelB} +${points}`
  }
  return `between ${nameEnd(low)} and ${nameEnd(high)} points`
}
