import { expect, it } from 'vitest'
import { formatLocalTime } from '../../ui/local-time.ts'
import { disambiguateTimes } from './disambiguate-times.ts'

it('only runs that look the same get seconds', () => {
  const minute = 60_000 * 1000
  const runs = [
    { runId: '1', startedAt: minute + 1000, prompt: 'a' },
    { runId: '2', startedAt: minute + 2000, prompt: 'a' },
    { runId: '3', startedAt: minute + 3000, prompt: 'b' },
  ]
  const times = disambiguateTimes(runs, ({ prompt }) => prompt)
  expect(times.get('1')).not.toBe(times.get('2'))
  expect(times.get('3')).toBe(formatLocalTime(minute))
})
