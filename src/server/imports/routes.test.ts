import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readResults } from '../../import/index.ts'
import { startRouteServer, type RouteServer } from '../testing/route-server.ts'
import { importRoutes } from './routes.ts'

let server: RouteServer
beforeAll(async () => {
  server = await startRouteServer([importRoutes])
})
afterAll(() => server.close())

async function preview(content: string, query: Record<string, string>) {
  const reply = await server.request(`/imports/preview?${new URLSearchParams(query)}`, {
    method: 'POST',
    headers: { 'content-type': 'application/octet-stream' },
    body: content,
  })
  const body: unknown = await reply.json()
  return { status: reply.status, body }
}

describe('messages of an import in the web app', () => {
  const emptyLog = JSON.stringify({ version: 2, status: 'success', eval: { task: 't', model: 'm' }, samples: [] })

  it.each([
    [
      'another tool’s option',
      emptyLog,
      { name: 'a.json' },
      'a.json: contains no samples, so there is nothing to import (was the log written with --no-log-samples?)',
    ],
    [
      'a file name with dashes',
      'id,score\n1,1\n1,0\n',
      { name: 'run--2.csv' },
      'run--2.csv:3: sample "1" of run--2 appears twice (first in run--2.csv:2).',
    ],
    [
      'an id with dashes',
      'id,score\nx--y,1\nx--y,0\n',
      { name: 'a.csv' },
      'a.csv:3: sample "x--y" of a appears twice (first in a.csv:2).',
    ],
    ['a question', 'id,bleu\n1,1\n', { name: 'a.csv' }, 'which column holds the score? there are "id", "bleu"'],
    [
      'a scale that is too small',
      'id,score\n1,70\n',
      { name: 'a.csv', min: '0', max: '10' },
      'score has values from 70 to 70, beyond the scale 0:10; scores are never cut off, so name a scale that holds them all',
    ],
  ])('%s stays', async (_what, content, query, message) => {
    const { status, body } = await preview(content, query)
    expect(body).toMatchObject(status === 200 ? { problem: message } : { error: { message } })
  })

  it('leave out the options of the command line', async () => {
    const { body } = await preview('id,score\n1,1\n', { name: 'a.csv' })
    expect(body).toMatchObject({
      results: {
        warnings: [
          'columns by their names: id is "id", score is "score".',
          'has no column for the model, so it is called a.',
        ],
      },
    })
  })

  it('name the kinds of files, tables too', async () => {
    const { status, body } = await preview('hello', { name: 'a.txt' })
    expect(status).toBe(422)
    expect(body).toMatchObject({
      error: { message: expect.stringMatching(/\n {2}a table with one row per answer: .*Parquet\.$/) },
    })
  })
})

describe('the columns of a table', () => {
  it.each(['%E0', 'id=%', 'id=%E0%A4%A,score=x'])('%s cannot be decoded, which is said', async (columns) => {
    expect(await preview('id,score\n1,1\n', { name: 'a.csv', columns })).toMatchObject({
      status: 400,
      body: { error: { message: 'columns: must be field=column pairs, each part percent-encoded' } },
    })
  })
})

describe('the summary of lm-evaluation-harness', () => {
  const TIME = '2025-01-01T00-00-00.000000'
  const [name, beside] = [`samples_toxic_${TIME}.jsonl`, `results_${TIME}.json`]
  const samples = [0, 1]
    .map((id) => `${JSON.stringify({ doc_id: id, doc: 'q', target: '', resps: [['x']], politeness: 0.1 })}\n`)
    .join('')
  const summary = JSON.stringify({ model_name: 'org/größe', higher_is_better: { toxic: { politeness: false } } })
  const besideBytes = String(Buffer.byteLength(summary))

  it('comes before the samples in the upload, and says what it says in the terminal', async () => {
    const { body } = await preview(summary + samples, { name, beside, besideBytes })
    expect(body).toMatchObject({
      results: { models: [{ modelId: 'org/größe', mean: 0.9 }], warnings: [], isModelUnnamed: false },
    })
    const folder = mkdtempSync(join(tmpdir(), 'benchmaker-beside-'))
    writeFileSync(join(folder, name), samples)
    writeFileSync(join(folder, beside), summary)
    const { runs } = await readResults(join(folder, name), { now: 0 })
    rmSync(folder, { recursive: true })
    expect(body).toMatchObject({ results: { selection: runs[0]!.id } })
  })

  it('may be empty', async () => {
    const { status, body } = await preview(samples, { name, beside, besideBytes: '0' })
    expect([status, body]).toMatchObject([200, { results: { assumedDirection: 'higher' } }])
  })

  it('is asked for if it is missing', async () => {
    const { body } = await preview(samples, { name })
    expect(body).toMatchObject({
      results: {
        models: [{ mean: 0.1 }],
        assumedDirection: 'higher',
        warnings: [
          expect.stringContaining('do not name their model'),
          'higher values of politeness are assumed to be better, because there is no results_….json of the same time that says so; put it beside the file, or choose both in the web app.',
        ],
      },
    })
  })

  it.each([
    [{ beside }, 'beside and besideBytes belong together'],
    [{ beside, besideBytes: '99999' }, 'The body has fewer bytes than besideBytes says.'],
    [{ beside, besideBytes: '1e9' }, 'besideBytes: must be a whole number of at most 64 MB'],
  ])('%j is refused', async (query, message) => {
    expect(await preview(summary + samples, { name, ...query })).toMatchObject({
      status: 400,
      body: { error: { message } },
    })
  })
})
