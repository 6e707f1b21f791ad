import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { executeRun } from './runs.ts'
import { loadSuite } from './suites.ts'

const folder = mkdtempSync(join(tmpdir(), 'benchmaker-library-datasets-'))
afterAll(() => rmSync(folder, { recursive: true }))

const rows = Array.from({ length: 6 }, (_, index) => ({
  question: `Which word has ${index + 1} letters, {{char}}?`,
  choices: ['a', 'be', 'sea', 'tree', 'house', 'garden'],
  answer: index,
}))

it('a dataset is loaded, run and scored: a perfect model gets 100, a wrong one 0', async () => {
  const file = join(folder, 'words.jsonl')
  writeFileSync(file, rows.map((row) => JSON.stringify(row)).join('\n'))
  const loaded = await loadSuite(file)
  const client = {
    provider: 'scripted',
    complete: async ({ modelId, messages }: { modelId: string; messages: readonly { content: unknown }[] }) => {
      const prompt = String(messages.at(-1)!.content)
      const letters = Number(/has (\d)/.exec(prompt)![1])
      const place = modelId === 'perfect' ? letters - 1 : letters % 6
      return { response: `Therefore the answer is **(${'ABCDEF'[place]})**.` }
    },
  }
  for (const suite of [loaded, loaded.suite]) {
    const { results } = await executeRun({ suite, models: ['perfect', 'wrong'], client })
    const scoresOf = (model: string) =>
      results.filter(({ modelId }) => modelId === model).map(({ score }) => score?.score)
    expect(scoresOf('perfect')).toEqual([1, 1, 1, 1, 1, 1])
    expect(scoresOf('wrong')).toEqual([0, 0, 0, 0, 0, 0])
  }
})
