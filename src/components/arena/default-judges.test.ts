import { expect, it } from 'vitest'
import { defaultJudgesFor } from './default-judges.ts'

it('chooses the simulated judge only for simulated models, and only without any key', () => {
  const app = { isDemoOnly: true, defaultJudge: 'demo/judge' }
  expect(defaultJudgesFor(['demo/good', 'demo/fair'], app)).toEqual(['demo/judge'])
  expect(defaultJudgesFor(['demo/good', 'openai/real'], app)).toEqual([])
  expect(defaultJudgesFor(['demo/good'], { ...app, isDemoOnly: false })).toEqual([])
  expect(defaultJudgesFor(['demo/good'], undefined)).toEqual([])
})
