import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { RatingQueue, Storage } from '../../../contract/index.ts'
import { createQueue } from '../../../services/index.ts'
import { openStorage } from '../../../storage/index.ts'
import { runCli } from '../../testing/run-cli.ts'
import { rateByLines } from './rate.ts'

let folder: string
let data: string
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'benchmaker-rate-'))
  data = join(folder, 'data')
  const suite = join(folder, 'suite.json')
  const testCases = Array.from({ length: 12 }, (_, index) => ({
    id: `sum-${index}`,
    prompt: `What is ${index} + ${index * 7}?`,
    expectedOutput: String(index * 8),
    scoringMethod: 'exact-match',
  }))
  writeFileSync(suite, JSON.stringify({ name: 'Sums', testCases }))
  await run('run', suite, '--models', 'demo/good,demo/poor')
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const run = (...args: string[]) => runCli([...args, '--data', data])

/** Types lines one after the other, as a person would. */
async function rateWith(storage: Storage, queue: RatingQueue, lines: string[]): Promise<string> {
  let printed = ''
  const sink = { write: (text: string) => (printed += text) }
  await rateByLines({
    storage,
    queue,
    rater: 'ann',
    readLine: async (prompt) => {
      printed += prompt
      return lines.shift()
    },
    terminal: { stdout: sink, stderr: sink, colour: false, columns: 80, progress: false },
  })
  return printed
}

describe('benchmaker rate', () => {
  it('writes a blind sheet, reads it back, and show says what people would give', async () => {
    const sheet = join(folder, 'answers.csv')
    const exported = await run('rate', 'latest', '--per-model', '12', '--export', sheet, '--json')
    expect(exported.exitCode).toBe(0)
    expect(JSON.parse(exported.out)).toMatchObject({ wrote: sheet, answers: 24 })
    const text = readFileSync(sheet, 'utf8')
    expect(text).not.toMatch(/demo|good|poor|sum-/)
    const [head, ...rows] = text.trimEnd().split('\r\n')
    expect(head).toBe('id,prompt,expectedOutput,answer,rating,note,rater')
    // The empty fields at the end: rating, note, rater.
    const filled = rows.map((row, index) => row.replace(/,,,$/, `,${index % 3 === 0 ? 'skip' : 60 + index},,Ann`))
    writeFileSync(sheet, [head, ...filled].join('\n'))
    const imported = await run('rate', 'latest', '--import', sheet)
    expect([imported.exitCode, imported.err]).toEqual([0, expect.stringMatching(/Saved 24 ratings/)])

    const shown = await run('show', 'latest', '--json')
    const { peopleRatings, runs } = JSON.parse(shown.out)
    expect(peopleRatings.raters).toEqual(['Ann'])
    expect(
      peopleRatings.models.map(({ ratedCases, skipped }: Record<string, number>) => ratedCases! + skipped!),
    ).toEqual([12, 12])
    expect(runs[0].ratingQueues[0]).toMatchObject({ scale: 'points', strata: [{ drawn: 12 }, { drawn: 12 }] })
    expect(shown.err).toMatch(/Corrected by human ratings/)
    expect(shown.err).toMatch(/8 drawn answers were skipped/)
    expect(shown.err).toMatch(/Drawn at random within each model: 12 of 12\s+cases of each model/)
  })

  it('draws the same cases for all models on request, and then says how far the models are apart', async () => {
    const sheet = join(folder, 'pairs.csv')
    const refused = await run('rate', 'latest', '--same-cases', '--export', sheet)
    expect([refused.exitCode, refused.err]).toEqual([2, expect.stringMatching(/there is a queue already: add --new/)])
    await run('rate', 'latest', '--new', '--same-cases', '--export', sheet)
    const [head, ...rows] = readFileSync(sheet, 'utf8').trimEnd().split('\r\n')
    expect(rows).toHaveLength(24)
    const rated = rows.map((row, index) => row.replace(/,,,$/, `,${60 + ((index * 7) % 20)},,Ann`))
    writeFileSync(sheet, [head, ...rated].join('\r\n'))
    expect((await run('rate', 'latest', '--import', sheet)).err).toMatch(/Saved 24 ratings/)
    const shown = await run('show', 'latest', '--json')
    const [pair, ...others] = JSON.parse(shown.out).peopleRatings.pairs
    expect(others).toEqual([])
    expect(pair).toMatchObject({
      ratedCases: 12,
      cases: 12,
      estimate: { method: 'rated-only', lambda: 0, level: 0.95 },
    })
    const text = shown.err.replaceAll(/\s+/g, ' ')
    expect(text).toMatch(/As people would score them, .* both answers rated on 12 of 12 cases, the ratings alone/)
    expect(text).toMatch(/the scores lean/)
    expect(text).toMatch(/Drawn at random, the same cases for all models: 12 of 12 cases/)
  })

  it('refuses a damaged sheet as a whole, and a sheet without a name', async () => {
    const sheet = join(folder, 'more.csv')
    await run('rate', 'latest', '--new', '--per-model', '2', '--export', sheet)
    const [head, first = '', ...rows] = readFileSync(sheet, 'utf8').trimEnd().split('\r\n')
    const rate = (row: string, rating: string) => row.replace(/,,,$/, `,${rating},,`)
    writeFileSync(sheet, [head, rate(first, '80'), ...rows.map((row) => rate(row, 'lots'))].join('\n'))
    const refused = await run('rate', 'latest', '--import', sheet, '--rater', 'Bob')
    expect([refused.exitCode, refused.err]).toEqual([2, expect.stringMatching(/"lots" is not a rating/)])
    writeFileSync(sheet, [head, rate(first, '80')].join('\n'))
    const unnamed = await run('rate', 'latest', '--import', sheet)
    expect([unnamed.exitCode, unnamed.err]).toEqual([2, expect.stringMatching(/say who rated/)])
    const shown = JSON.parse((await run('show', 'latest', '--json')).out)
    expect(shown.peopleRatings.raters).toEqual(['Ann'])
  })

  it('needs a terminal or a file, and says so', async () => {
    const { exitCode, err } = await run('rate', 'latest', '--rater', 'Ann')
    expect([exitCode, err]).toEqual([2, expect.stringMatching(/needs a terminal; without one/)])
    const both = await run('rate', 'latest', '--export', 'a.csv', '--import', 'b.csv')
    expect(both.exitCode).toBe(2)
    const again = await run('rate', 'latest', '--per-model', '3', '--export', join(folder, 'x.csv'))
    expect(again.err).toMatch(/there is a queue already/)
  })

  it('line by line: rates, skips, notes and takes back, without model and score', async () => {
    const storage = await openStorage({ file: join(data, 'benchmaker.db') })
    const [runId = ''] = await storage.findRuns('latest')
    const queue = await createQueue(
      { runIds: [runId], perModel: 3, seed: 's' },
      { storage, now: Date.now(), createId: () => 'lines' },
    )
    const printed = await rateWith(storage, queue, ['what', 'n check this', '80', 's no idea', 'u', '40', 'q'])
    expect(printed).not.toMatch(/demo|sum-\d/)
    expect(printed).toMatch(/Type 0 to 100, s to skip/)
    expect(printed).toMatch(/2 of 6 rated\. Rating: $/)
    const said = (await storage.listRatings(runId)).filter(({ rater }) => rater === 'ann')
    expect(said.map(({ rating, note }) => [rating, note]).toSorted()).toEqual([
      [0.4, 'no idea'],
      [0.8, 'check this'],
    ])
    const rest = await rateWith(storage, queue, ['50', '50', '50', '50'])
    expect(rest).toMatch(/Every answer is rated: 6 of 6/)
    await storage.close()
  })
})
