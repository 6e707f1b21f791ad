import type { PageBlock, SeenPage } from '../../contract/index.ts'
import { assignOptimally } from '../tool-calls/credit/optimal-assignment.ts'
import { ciede2000, toLab } from './ciede2000.ts'

/** The measures of Design2Code (Si et al. 2024, arXiv 2403.03163) for what is low-level, each 0 to 1. */
export interface VisualMeasures {
  /** How much of both pages, by area, has a counterpart on the other. */
  blocks: number
  /** Of matched blocks: what they say. */
  text: number
  /** Where they are. */
  position: number
  /** The colour of their text. */
  colour: number
}

/** Blocks that have less in common are no counterparts. */
const LEAST_ALIKE = 0.5

/** Sørensen–Dice on characters: twice those in common, as often as they occur, over all. */
export function compareTexts(one: string, other: string): number {
  const [a, b] = [[...one], [...other]]
  if (a.length + b.length === 0) return 1
  const left = new Map<string, number>()
  for (const character of a) left.set(character, (left.get(character) ?? 0) + 1)
  let common = 0
  for (const character of b) {
    const count = left.get(character) ?? 0
    if (count === 0) continue
    left.set(character, count - 1)
    common++
  }
  return (2 * common) / (a.length + b.length)
}

const areaOf = ({ width, height }: PageBlock): number => width * height
const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)
const mean = (values: readonly number[]): number => (values.length === 0 ? 0 : sum(values) / values.length)

/** The middle of a block, as shares of its page. */
const middleOf = ({ left, top, width, height }: PageBlock, page: SeenPage): [x: number, y: number] => [
  (left + width / 2) / page.width,
  (top + height / 2) / page.height,
]

function comparePlaces(one: readonly [number, number], other: readonly [number, number]): number {
  return Math.max(0, 1 - Math.max(Math.abs(one[0] - other[0]), Math.abs(one[1] - other[1])))
}

/** Pairs the blocks of two pages so that what the pairs say is as alike as possible. */
function pairBlocks(one: readonly PageBlock[], other: readonly PageBlock[]): [PageBlock, PageBlock][] {
  const alike = one.map((block) => other.map(({ text }) => compareTexts(block.text, text)))
  return assignOptimally(alike).flatMap((column, row) =>
    column >= 0 && alike[row]![column]! >= LEAST_ALIKE ? [[one[row]!, other[column]!] as [PageBlock, PageBlock]] : [],
  )
}

export function compareBlocks(reference: SeenPage, page: SeenPage): VisualMeasures {
  // Nothing is asked for, and nothing is there.
  if (reference.blocks.length + page.blocks.length === 0) return { blocks: 1, text: 1, position: 1, colour: 1 }
  const pairs = pairBlocks(reference.blocks, page.blocks)
  const all = sum([...reference.blocks, ...page.blocks].map(areaOf))
  return {
    blocks: all === 0 ? 0 : sum(pairs.flat().map(areaOf)) / all,
    text: mean(pairs.map(([one, other]) => compareTexts(one.text, other.text))),
    position: mean(pairs.map(([one, other]) => comparePlaces(middleOf(one, reference), middleOf(other, page)))),
    colour: mean(pairs.map(([one, other]) => Math.max(0, 1 - ciede2000(toLab(one.colour), toLab(other.colour)) / 100))),
  }
}
