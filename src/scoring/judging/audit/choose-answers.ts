import type { AuditAnswer } from './audit-answers.ts'

/** What an audit draws from. */
export interface AuditMaterial {
  judgeModelId: string
  answers: readonly AuditAnswer[]
  /** At most this many answers or pairs. */
  limit?: number | undefined
  /** Seeded: the same seed draws the same answers. */
  random: () => number
}

/** Fisher & Yates. */
export function shuffle<Item>(items: readonly Item[], random: () => number): Item[] {
  const shuffled = [...items]
  for (let index = shuffled.length - 1; index > 0; index--) {
    const other = Math.floor(random() * (index + 1))
    ;[shuffled[index], shuffled[other]] = [shuffled[other]!, shuffled[index]!]
  }
  return shuffled
}

/** An answer that deserves full marks cannot rise, and one that deserves none cannot fall. */
const roomOf = ({ expectedScore }: AuditAnswer) =>
  expectedScore === undefined ? 0.5 : 0.5 - Math.abs(expectedScore - 0.5)

/** Draws answers at random; of those whose quality is known, those whose score has room to move first. */
export function chooseAnswers(answers: readonly AuditAnswer[], count: number, random: () => number): AuditAnswer[] {
  return shuffle(
    answers.filter(({ response }) => response.trim() !== ''),
    random,
  )
    .toSorted((a, b) => roomOf(b) - roomOf(a))
    .slice(0, count)
}

/** `size`, or fewer if the user asks for fewer. */
export function limitTo(size: number, { limit = Infinity }: AuditMaterial): number {
  return Math.min(size, limit)
}

export function nameOf({ id, prompt }: AuditAnswer): string {
  return id ?? prompt.replace(/\s+/g, ' ').trim().slice(0, 60)
}
