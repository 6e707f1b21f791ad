import { createRandom } from '../numbers/random.ts'

/** The items in an order drawn from the seed: each order is equally likely (Fisher-Yates). */
export function drawOrder<Item>(items: readonly Item[], seed: string): Item[] {
  const drawn = [...items]
  const random = createRandom(`order ${seed}`)
  for (let last = drawn.length - 1; last > 0; last--) {
    const other = Math.floor(random() * (last + 1))
    ;[drawn[last], drawn[other]] = [drawn[other]!, drawn[last]!]
  }
  return drawn
}
