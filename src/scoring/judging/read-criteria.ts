import { z } from 'zod'
import { findJson } from '../text/find-json.ts'
import type { CodeArenaCriterion } from './judge-prompts.ts'

interface CriterionGrade {
  /** 0 to 100, as the judge gave it. */
  score: number
  reason: string
}

export type Grades = Partial<Record<CodeArenaCriterion, CriterionGrade>>

const scoreSchema = z
  .union([
    z.number(),
    z
      .string()
      .regex(/^\s*\d+(\.\d+)?\s*$/)
      .transform(Number),
  ])
  .pipe(z.number().min(0).max(100))

const gradeSchema = z.union([
  scoreSchema.transform((score) => ({ score, reason: '' })),
  z
    .object({ score: scoreSchema, reason: z.string().optional(), reasoning: z.string().optional() })
    .transform(({ score, reason, reasoning }) => ({ score, reason: reason ?? reasoning ?? '' })),
])
const objectSchema = z.record(z.string(), z.unknown())

/** Every score for the criterion anywhere in the text. */
function scoresIn(text: string, criterion: CodeArenaCriterion): Set<number> {
  const found = text.matchAll(
    new RegExp(`"${criterion}"\\s*:\\s*(?:\\{[^{}]*?"score"\\s*:\\s*)?"?(-?\\d+(?:\\.\\d+)?)`, 'g'),
  )
  return new Set([...found].map(([, number]) => Number(number)))
}

/**
 * The grades in a judge's answer. Its JSON (the whole answer, in a fence, or in prose) must give every requested
 * criterion a number from 0 to 100, with or without a reason, and the answer must not contain a different number for
 * any of them. Otherwise `undefined`: nothing is clamped or filled in.
 */
export function readCriteria(answer: string, asked: readonly CodeArenaCriterion[]): Grades | undefined {
  const whole = objectSchema.safeParse(findJson(answer)?.value)
  if (!whole.success) return undefined
  const inner = objectSchema.safeParse(whole.data.criteria ?? whole.data.scores)
  const source = inner.success ? inner.data : whole.data
  const grades: Grades = {}
  for (const criterion of asked) {
    const grade = gradeSchema.safeParse(source[criterion])
    if (!grade.success || scoresIn(answer, criterion).size > 1) return undefined
    grades[criterion] = grade.data
  }
  return grades
}

/** Returns true if all grades may be on a scale from 0 to 10, or to 1: then none is above 10, and not all are 0. */
export function isOnSmallScale(grades: Grades): boolean {
  const highest = Math.max(...Object.values(grades).map(({ score }) => score))
  return highest > 0 && highest <= 10
}
