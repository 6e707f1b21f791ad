import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { openAnswerCache } from './answer-cache.ts'

const folder = mkdtempSync(join(tmpdir(), 'benchmaker-cache-'))
afterAll(() => rmSync(folder, { recursive: true }))
const answer = { outcome: 'ok', response: 'Pâris 🗼', latencyMs: 3 } as const

it('returns a cached answer, also to the next process', async () => {
  await openAnswerCache(folder).set('key', answer)
  expect(await openAnswerCache(folder).get('key')).toEqual(answer)
  expect(await openAnswerCache(folder).get('other')).toBeUndefined()
})
it('treats a damaged file as a miss', async () => {
  const [part] = readdirSync(folder)
  const [file] = readdirSync(join(folder, part!))
  writeFileSync(join(folder, part!, file!), '{"key": "k')
  expect(await openAnswerCache(folder).get('key')).toBeUndefined()
})
