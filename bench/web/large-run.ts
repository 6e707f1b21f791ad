import type { RunResult } from '../../src/contract/index.ts'
import { createRandom } from '../../src/statistics/index.ts'

const answer = 'The answer follows from what was said before, step by step. '.repeat(10)

/** A run of very many cells, with answers of about 600 characters. */
export function makeLargeRun(id: string, { cases, models }: { cases: number; models: string[] }): RunResult {
  const random = createRandom(id)
  const testCases = Array.from({ length: cases }, (_, index) => ({
    id: `case-${index}`,
    prompt: `Question ${index}: what follows from the text? ${answer}`,
    expectedOutput: 'yes',
    scoringMethod: 'exact-match',
    weight: 1,
    metadata: { category: `category ${index % 12}`, tags: [`tag ${index % 30}`] },
  }))
  const results = testCases.flatMap((testCase) =>
    models.map((modelId, skill) => {
      const score = random() < 0.5 + skill * 0.02 ? 1 : random() < 0.5 ? 0 : Math.round(random() * 100) / 100
      const response = `${answer}${testCase.id}`
      return {
        testCaseId: testCase.id,
        modelId,
        outcome: 'ok' as const,
        response,
        score: { score },
        latencyMs: 500 + random() * 4000,
        cost: 0.0001 + random() / 1000,
      }
    }),
  )
  return {
    id,
    testSuiteName: 'Large',
    testSuiteSnapshot: { name: 'Large', testCases },
    models,
    startedAt: Date.now(),
    status: 'completed',
    results,
  }
}
