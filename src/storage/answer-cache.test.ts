import { mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { openAnswerCache } from './answer-cache.ts'

const folder = mkdtempSync(join(tmpdir(), 'benchmaker-cache-'))
afterAll(() => rmSync(folder, { recursive: true }))
const answer = { outcome: 'ok', response: 'Pâris 🗼', latencyMs: 3 } as const

it('returns a cached answer, also to the next process', async () => {
  await openAnswerCache(folder, () => 1234).set('key', answer)
  expect(await openAnswerCache(folder).get('key')).toEqual({ answer, at: 1234 })
  expect(await openAnswerCache(folder).get('other')).toBeUndefined()
})
it('takes the time of a file written by an earlier version from the file', async () => {
  const cache = openAnswerCache(folder)
  const [part] = readdirSync(folder)
  const [name] = readdirSync(join(folder, part!))
  const file = join(folder, part!, name!)
  writeFileSync(file, JSON.stringify({ key: 'key', answer }))
  utimesSync(file, 1_700_000_000, 1_700_000_000)
  expect(await cache.get('key')).toEqual({ answer, at: 1_700_000_000_000 })
})
it('treats a damaged file as a miss', async () => {
  const [part] = readdirSync(folder)
  const [file] = readdirSync(join(folder, part!))
  writeFileSync(join(folder, part!, file!), '{"key": "k')
  expect(await openAnswerCache(folder).get('key')).toBeUndefined()
})
it.each([
  { answer: null },
  { answer: {} },
  { answer: { ...answer, response: 7 } },
  { answer: { ...answer, outcome: 'truncated' } },
  { answer, at: 'yesterday' },
])('does not serve %j, which is no answer with a time', async (content) => {
  const cache = openAnswerCache(folder)
  await cache.set('key', answer)
  const [part] = readdirSync(folder)
  const [file] = readdirSync(join(folder, part!))
  writeFileSync(join(folder, part!, file!), JSON.stringify({ key: 'key', ...content }))
  expect(await cache.get('key')).toBeUndefined()
})
