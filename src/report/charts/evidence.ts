import { linearScale, logScale, logTicks, niceTicks } from './scale.ts'

/** The number of cases and the evidence after them. */
type EvidencePoint = readonly [cases: number, evidence: number]

interface EvidenceInput {
  /** One line per pair of models. */
  lines: readonly { points: readonly EvidencePoint[] }[]
  /** The evidence that decides. */
  line: number
  /** Cases counted so far, of all. */
  cases: number
  caseCount: number
}

interface EvidenceBox {
  width: number
  height: number
  padding: { left: number; right: number; top: number; bottom: number }
}

interface PlacedEvidence {
  /** For each pair, from no evidence before the first case. */
  paths: { path: string; end: { x: number; y: number } }[]
  /** Where the evidence decides. */
  lineY: number
  xTicks: { value: number; x: number }[]
  yTicks: { value: number; y: number }[]
}

/** Evidence falls without limit while models are equal: below this it says nothing more. */
const LOWEST = 0.1

/** A line must not crush what is still near the one that decides. */
const HIGHEST_PER_LINE = 50

/** Where evidence against a line is drawn: cases to the right, evidence upwards in powers of ten. */
export function placeEvidence(
  { lines, line, cases, caseCount }: EvidenceInput,
  { width, height, padding }: EvidenceBox,
): PlacedEvidence {
  const most = Math.max(line * 2, ...lines.flatMap(({ points }) => points.map(([, evidence]) => evidence)))
  const highest = Math.min(most * 1.2, line * HIGHEST_PER_LINE)
  const lastCase = Math.max(1, Math.min(caseCount, Math.max(10, Math.ceil(cases * 1.1))))
  const xScale = linearScale([0, lastCase], [padding.left, width - padding.right])
  const upwards = logScale([LOWEST, highest], [height - padding.bottom, padding.top])
  const yScale = (evidence: number) => upwards(Math.min(highest, Math.max(LOWEST, evidence)))
  const round = (position: number) => Math.round(position * 10) / 10
  return {
    paths: lines.map(({ points }) => {
      const placed = [[0, 1] as EvidencePoint, ...points].map(([counted, evidence]) => ({
        x: round(xScale(counted)),
        y: round(yScale(evidence)),
      }))
      return {
        path: placed.map(({ x, y }, index) => `${index === 0 ? 'M' : 'L'}${x} ${y}`).join(''),
        end: placed.at(-1)!,
      }
    }),
    lineY: round(yScale(line)),
    xTicks: niceTicks(0, lastCase, 5)
      .filter((value) => Number.isInteger(value))
      .map((value) => ({ value, x: round(xScale(value)) })),
    yTicks: logTicks(LOWEST, highest)
      .filter((value) => Number.isInteger(Math.log10(value)))
      .map((value) => ({ value, y: round(yScale(value)) })),
  }
}

/** Moves labels apart that would overlap, without changing their order. */
export function spreadLabels(positions: readonly number[], gap: number, highest: number): number[] {
  const order = [...positions.keys()].toSorted((a, b) => positions[a]! - positions[b]!)
  const spread = [...positions]
  let floor = -Infinity
  for (const index of order) {
    spread[index] = Math.max(positions[index]!, floor)
    floor = spread[index]! + gap
  }
  let ceiling = highest
  for (const index of order.toReversed()) {
    spread[index] = Math.min(spread[index]!, ceiling)
    ceiling = spread[index]! - gap
  }
  return spread
}
