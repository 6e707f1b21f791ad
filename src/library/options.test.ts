import { expect, it } from 'vitest'
import type { ExecuteOptions } from './runs.ts'
import { auditJudge, calibrateJudge } from './judging.ts'
import { executeRun, rescoreRun, resumeRun } from './runs.ts'
import { importResults, loadSuite, parseSuite } from './suites.ts'

const options: ExecuteOptions = {
  suite: { name: 'S', testCases: [{ id: 'a', prompt: '2 + 2', scoringMethod: 'exact-match', expectedOutput: '4' }] },
  models: ['m'],
  client: { provider: 'own', complete: async () => ({ response: '4' }) },
}

it('executeRun refuses an option that it does not know, before anything is sent', async () => {
  expect((await executeRun({ ...options, concurrency: 2 })).results[0]!.score).toMatchObject({ score: 1 })
  const misspelt = { ...options, concurency: 2 }
  await expect(executeRun(misspelt)).rejects.toThrow(
    'executeRun: concurency: no such option\nDid you mean concurrency?',
  )
})

it('so do loading, importing, resuming, rescoring, calibrating and auditing', async () => {
  const misspelt = { storag: undefined, client: options.client }
  await expect(loadSuite('suite.yaml', Object({ recip: 'gsm8k' }))).rejects.toThrow(
    'loadSuite: recip: no such option\nDid you mean recipe?',
  )
  expect(() => parseSuite('', 'suite.yaml', Object({ scorer: [] }))).toThrow('parseSuite: scorer: no such option')
  await expect(importResults('x.json', Object({ metrics: 'f1' }))).rejects.toThrow('Did you mean metric?')
  await expect(resumeRun('r', Object(misspelt))).rejects.toThrow('resumeRun: storag: no such option')
  await expect(rescoreRun('r', Object(misspelt))).rejects.toThrow('Did you mean storage?')
  await expect(
    calibrateJudge(
      { provider: 'own', complete: async () => ({ response: '4' }) },
      'm',
      'facts',
      Object({ presets: 'x' }),
    ),
  ).rejects.toThrow('preset?')
  await expect(auditJudge(Object({ ...misspelt, judgeModelId: 'm' }))).rejects.toThrow('auditJudge: storag')
})
