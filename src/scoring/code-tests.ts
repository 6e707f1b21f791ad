import { z } from 'zod'
import { ScoringError } from '../contract/index.ts'
import { defineScorer } from './scorer.ts'

/** What each test may take besides the deadline that stops it. */
const MARGIN_MS = 2000

const languageSchema = z.enum(['python', 'javascript', 'typescript'])

export const codeTestsOptions = z.object({
  language: languageSchema.describe('What the answer is written in'),
  tests: z
    .union([z.string().min(1), z.array(z.string().min(1)).min(1)])
    .describe('One program that throws if the answer is wrong, or a list of separate tests'),
  entryPoint: z
    .string()
    .regex(/^[\p{L}_$][\p{L}\p{N}_$]*$/u, 'must be the name of a function or class')
    .optional()
    .describe('What the tests call; they may name it candidate, and a function check(candidate) is called with it'),
  seconds: z.number().positive().max(60).default(5).describe('Stops each test after this time'),
  memoryMb: z.int().min(16).max(512).default(256).describe('How much memory the answer may use'),
})

export type CodeTestsOptions = z.output<typeof codeTestsOptions>

export function listTests(tests: CodeTestsOptions['tests']): string[] {
  return typeof tests === 'string' ? [tests] : tests
}

/** Runs in `src/runner/code-tests`: the answer is a program of unknown intent. */
export const codeTests = defineScorer({
  name: 'code-tests',
  summary: 'Runs the code of the answer against tests, in a sandbox: Python, JavaScript or TypeScript',
  expectedOutput: 'unused',
  options: codeTestsOptions,
  isSlow: () => true,
  deadlineMs: ({ seconds, tests }) => listTests(tests).length * seconds * 1000 + MARGIN_MS,
  timeoutCode: 'scoring-timeout',
  score: () => {
    throw new ScoringError('scoring-failed', 'code-tests runs only where there are threads')
  },
})
