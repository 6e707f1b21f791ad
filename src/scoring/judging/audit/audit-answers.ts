import { shuffle } from '../../../statistics/numbers/random.ts'
import questions from './audit-questions.json' with { type: 'json' }

/** An answer that a judge is audited with. Scores are 0 to 1. */
export interface AuditAnswer {
  id?: string | undefined
  prompt: string
  response: string
  expectedOutput?: string | undefined
  /** What the answer deserves: by design, or by a person's rating. */
  expectedScore?: number | undefined
  /** Who wrote it; by this, a judge's own answers are recognised. */
  modelId?: string | undefined
}

/**
 * One question with answers in pairs of equal quality: the same in other words. Medium answers leave things out, and say
 * nothing wrong: a judge that rewrites one has nothing to correct.
 */
type AuditQuestion = (typeof questions)[number]

const QUALITY = { good: 1, medium: 0.5, poor: 0 }

function listAnswers({ id, prompt, reference, good, medium, poor }: AuditQuestion): AuditAnswer[] {
  const answer = (name: string, response: string, expectedScore: number): AuditAnswer => ({
    id: `${id} · ${name}`,
    prompt,
    response,
    expectedOutput: reference,
    expectedScore,
  })
  return [
    ...good.map((response, index) => answer(`good ${index + 1}`, response, QUALITY.good)),
    ...medium.map((response, index) => answer(`medium ${index + 1}`, response, QUALITY.medium)),
    answer('poor', poor, QUALITY.poor),
  ]
}

/** Twelve questions with good, medium and poor answers. */
export const builtInAuditAnswers: readonly AuditAnswer[] = questions.flatMap(listAnswers)

/** What an audit draws from. */
export interface AuditMaterial {
  judgeModelId: string
  answers: readonly AuditAnswer[]
  /** At most this many answers or pairs. */
  limit?: number | undefined
  /** Seeded: the same seed draws the same answers. */
  random: () => number
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

export function auditAnswerName({ id, prompt }: AuditAnswer): string {
  return id ?? prompt.replace(/\s+/g, ' ').trim().slice(0, 60)
}
