import { drawNumber } from './chance.ts'

const DIMENSIONS = 256

/** Word endings matter little to the meaning: words also count by their first letters. */
const STEM_LENGTH = 5

function addTo(vector: number[], feature: string, weight: number): void {
  const place = Math.floor(drawNumber('place', feature) * DIMENSIONS)
  vector[place] = vector[place]! + weight
}

/** The simulated embedding: texts with the same words are close. Deterministic, with no idea of meaning. */
export function embedText(text: string): number[] {
  const vector = Array.from({ length: DIMENSIONS }, () => 0)
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [text]
  for (const word of words) {
    addTo(vector, word, 1)
    addTo(vector, `${word.slice(0, STEM_LENGTH)}-`, 0.5)
  }
  const length = Math.hypot(...vector)
  return vector.map((value) => value / length)
}
