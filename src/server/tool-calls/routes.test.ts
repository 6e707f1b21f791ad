import {
  type ToolCallRecords,
  toolCallRoutes,
  type ToolCallComparison,
  type ToolCallFileList,
  type ToolCallRecord,
  type ToolCallTranscript,
} from './routes.ts'
import type { ToolCallFile } from './scored-files.ts'
import type { ApiError } from '../../contract/index.ts'
import { existsSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { scoreFile } from '../../import/tool-results/score-results-file.ts'
import { recogniseFile } from '../../import/tool-results/index.ts'
import type { Credit } from '../../scoring/tool-calls/index.ts'
import { startRouteServer, type RouteServer } from '../testing/route-server.ts'

const data = (path: string) => fileURLToPath(new URL(`../../../../shared/data/${path}`, import.meta.url))
const tauFile = data('tau-bench/gpt-4o-airline.json')
const tau2File = data('tau2-bench/airline-grok-4-fast.json')

let server: RouteServer
beforeAll(async () => {
  server = await startRouteServer([toolCallRoutes])
})
afterAll(() => server.close())

function makeRecord(taskId: number, callArguments: unknown, more: object = {}) {
  const traj =
    callArguments === undefined
      ? []
      : [{ role: 'assistant', tool_calls: [{ id: 'c', function: { name: 'pay', arguments: callArguments } }] }]
  return {
    task_id: taskId,
    reward: 0,
    info: { task: { actions: [{ name: 'pay', kwargs: { id: 'x', amount: 1 } }] } },
    traj,
    trial: 0,
    ...more,
  }
}
const small = [
  makeRecord(0, '{"id":"x","amount":1.0}', { reward: 1 }),
  makeRecord(1, '{"id":"y","amount":1}'),
  makeRecord(2, 'not json'),
  makeRecord(3, undefined),
]

const upload = (content: unknown, query = 'name=results.json') =>
  server.request(`/tool-calls?${query}`, {
    method: 'POST',
    headers: { 'content-type': 'application/octet-stream' },
    body: typeof content === 'string' ? content : JSON.stringify(content, null, 2),
  })

async function add(content: unknown, query?: string): Promise<ToolCallFile> {
  const reply = await upload(content, query)
  const body: ToolCallFile = JSON.parse(await reply.text())
  expect(reply.ok, JSON.stringify(body)).toBe(true)
  return body
}

async function refuse(content: unknown, query?: string): Promise<{ status: number; message: string }> {
  const reply = await upload(content, query)
  const body: ApiError = JSON.parse(await reply.text())
  return { status: reply.status, message: body.error.message }
}

async function get<Reply>(path: string): Promise<Reply> {
  return JSON.parse(JSON.stringify(await server.get(path)))
}

const uploads = () =>
  existsSync(join(server.dataFolder, 'tool-calls')) ? readdirSync(join(server.dataFolder, 'tool-calls')) : []

/** The command's results for the same file. */
async function scoreByCommand(path: string, credit: Credit) {
  const target = join(server.dataFolder, `by-command-${credit}.json`)
  const report = await scoreFile(await recogniseFile(path), {
    credit,
    salvage: false,
    answers: {},
    inputs: [path],
    target,
    onRecord() {},
  })
  await report.output!.commit()
  return { summary: JSON.parse(JSON.stringify(report.summary)), copy: await readFile(target, 'utf8') }
}

describe('a results file', () => {
  it('is stored unchanged, scored, listed, and gone once deleted', async () => {
    const file = await add(small, 'name=agent%20a.json&credit=calls')
    expect(await get<ToolCallFile>(`/tool-calls/${file.id}`)).toMatchObject({ credit: 'effects' })
    expect(file).toMatchObject({
      name: 'agent a.json',
      format: 'tau-bench',
      credit: 'calls',
      summary: { records: 4, binary: { successes: 1, of: 4 } },
    })
    expect(file.statistics).toMatch(/^=== SCORING STATISTICS ===\nTotal tasks: 4\n/)
    expect(file.problems).toEqual(['1 of 4 records with arguments that are not JSON (task 2 trial 0)'])
    expect(file.bins.map(({ passed, failed }) => [passed, failed])).toEqual([
      [0, 1],
      [0, 0],
      [0, 1],
      [0, 1],
      [0, 0],
      [1, 0],
    ])
    const folder = join(server.dataFolder, 'tool-calls', file.id)
    expect(readFileSync(join(folder, 'results.json'), 'utf8')).toBe(JSON.stringify(small, null, 2))
    expect(statSync(join(folder, 'results.json')).mode & 0o077).toBe(0)
    expect(await get<ToolCallFileList>('/tool-calls')).toEqual([
      {
        id: file.id,
        name: 'agent a.json',
        format: 'tau-bench',
        size: JSON.stringify(small, null, 2).length,
        addedAt: file.addedAt,
      },
    ])
    expect((await server.request(`/tool-calls/${file.id}`, { method: 'DELETE' })).status).toBe(200)
    expect([await get('/tool-calls'), uploads()]).toEqual([[], []])
    expect((await server.request(`/tool-calls/${file.id}`)).status).toBe(404)
  })

  for (const [name, path] of [
    ['tau-bench', tauFile],
    ['tau2-bench', tau2File],
  ] as const) {
    const there = existsSync(path)
    it.skipIf(!there)(
      `of ${name}${there ? '' : ' (NOT HERE: ../shared/data is missing)'} gets the figures and the scored copy of the command, with both credits`,
      async () => {
        const file = await add(readFileSync(path, 'utf8'), `name=${name}.json`)
        for (const credit of ['calls', 'effects'] as const) {
          const expected = await scoreByCommand(path, credit)
          const shown = await get<ToolCallFile>(`/tool-calls/${file.id}?credit=${credit}`)
          expect(shown.summary).toEqual(expected.summary)
          expect(shown.bins.map(({ passed, failed, unknown }) => passed + failed + unknown)).toEqual(
            shown.summary.distribution.map(({ count }) => count),
          )
          const copy = await server.request(`/tool-calls/${file.id}/scored?credit=${credit}`)
          expect(copy.headers.get('content-disposition')).toContain(`filename="${name}_partial.json"`)
          expect(await copy.text()).toBe(expected.copy)
        }
        const { total, records } = await get<ToolCallRecords>(`/tool-calls/${file.id}/records?limit=200&credit=effects`)
        expect(total).toBe(file.summary.records)
        const record = await get<ToolCallRecord>(`/tool-calls/${file.id}/records/1?credit=effects`)
        expect(record).toMatchObject({
          index: 1,
          taskId: records[1]!.taskId,
          score: records[1]!.score,
          reasons: { credit: 'effects' },
        })
        expect(record.scores!.effects).toBe(record.score)
      },
    )
  }

  it('that is not one is refused with the reader’s message and its own name, and nothing is stored', async () => {
    const before = uploads()
    for (const [content, words] of [
      ['', /^results\.json is empty$/],
      ['hello', /^results\.json is not JSON: found "hello"/],
      ['[{"task_id": 1, "reward": 1, "traj": [', /^results\.json is cut off: .*it contains no whole record/],
      [[{ colour: 'red' }], /^results\.json: none of the known formats.*Found: records with colour/],
      [
        [{ id: 'a', question: [[{ role: 'user', content: 'x' }]] }],
        /^results\.json contains BFCL questions, not results; add the model’s results first/,
      ],
      [[makeRecord(1, '{}', { reward: 7 })], /^results\.json: the reward of task 1 is 7/],
      [`[${'['.repeat(200_000)}${']'.repeat(200_000)}]`, /results\.json/],
    ] as const) {
      const { status, message } = await refuse(content)
      expect([status, message]).toEqual([422, expect.stringMatching(words)])
      expect(message).not.toContain(server.dataFolder)
    }
    expect(uploads()).toEqual(before)
  })

  it('of more than 512 MB is refused before it is read', async () => {
    const reply = await server.request('/tool-calls', {
      method: 'POST',
      headers: { 'content-length': String(513 * 1024 * 1024) },
      body: 'x',
    })
    expect(reply.status).toBe(413)
    expect(uploads().filter((name) => name.endsWith('.new'))).toEqual([])
  })

  it('that is cut off is accepted up to that point on request', async () => {
    const text = JSON.stringify(small, null, 2).slice(0, -200)
    expect((await refuse(text)).message).toMatch(/you can still use the 3 whole records/)
    const file = await add(text, 'name=cut.json&salvage=1')
    expect(file.summary.records).toBe(3)
    expect(file.problems[0]).toMatch(/^cut\.json is cut off at byte \d+: took the 3 whole records before it$/)
    const copy: unknown = await (await server.request(`/tool-calls/${file.id}/scored`)).json()
    expect(copy).toHaveLength(3)
  })

  it('is found only by its id, never by a path', async () => {
    await writeFile(
      join(server.dataFolder, 'about.json'),
      JSON.stringify({ id: 'x', name: 'x', format: 'x', size: 1, addedAt: 1, salvage: false }),
    )
    for (const id of ['..', '%2e%2e', '..%2f..', '%2Fetc%2Fpasswd', 'a'.repeat(24), '0'.repeat(24), '.'])
      expect((await server.request(`/tool-calls/${id}`)).status, id).toBe(404)
    expect((await server.request('/tool-calls/..%2f', { method: 'DELETE' })).status).toBe(404)
    expect(existsSync(join(server.dataFolder, 'about.json'))).toBe(true)
    const { name } = await add(small, `name=${encodeURIComponent('../../etc/\u0007pass\u202ewd.json')}`)
    expect(name).toBe('passwd.json')
  })
})

describe('the records of a file', () => {
  it('are paged so that each appears once, whatever the filter', async () => {
    const records = Array.from({ length: 37 }, (_, index) =>
      makeRecord(
        index,
        index % 3 === 0 ? '{"id":"x","amount":1}' : index % 3 === 1 ? '{"id":"x"}' : undefined,
        index % 5 === 0 ? { reward: 1 } : index % 7 === 0 ? { reward: undefined } : {},
      ),
    )
    const { id } = await add(records)
    await fc.assert(
      fc.asyncProperty(
        fc.record({
          range: fc.constantFrom('', 'perfect', 'near miss', 'partial success', 'wrong approach'),
          reward: fc.constantFrom('', 'passed', 'failed', 'unknown'),
          search: fc.constantFrom('', '1', '12'),
          credit: fc.constantFrom('calls', 'effects'),
          limit: fc.integer({ min: 1, max: 40 }),
        }),
        async ({ limit, ...filter }) => {
          const query = new URLSearchParams(filter)
          const whole = await get<ToolCallRecords>(`/tool-calls/${id}/records?${query}&limit=200`)
          const pieces: number[] = []
          for (let offset = 0; offset < whole.total; offset += limit)
            pieces.push(
              ...(
                await get<ToolCallRecords>(`/tool-calls/${id}/records?${query}&limit=${limit}&offset=${offset}`)
              ).records.map(({ index }) => index),
            )
          expect(pieces).toEqual(whole.records.map(({ index }) => index))
          expect(new Set(pieces).size).toBe(whole.total)
          for (const { taskId, range, reward } of whole.records) {
            expect(taskId).toContain(filter.search)
            if (filter.range !== '') expect(range).toBe(filter.range)
            if (filter.reward !== '')
              expect(reward === undefined ? 'unknown' : reward > 0.9 ? 'passed' : 'failed').toBe(filter.reward)
          }
        },
      ),
      { numRuns: 30 },
    )
    expect((await get<ToolCallRecords>(`/tool-calls/${id}/records`)).total).toBe(37)
    for (const index of ['37', '-1', 'x', '1e3'])
      expect((await server.request(`/tool-calls/${id}/records/${index}`)).status).toBe(404)
    expect((await server.request(`/tool-calls/${id}/records?limit=500`)).status).toBe(400)
  })

  it('explain their scores', async () => {
    const { id } = await add(small)
    const record = await get<ToolCallRecord>(`/tool-calls/${id}/records/1?credit=calls`)
    expect(record).toMatchObject({
      taskId: '1',
      range: 'partial success',
      reasons: {
        credit: 'calls',
        actions: [
          {
            name: 'pay',
            kind: 'arguments differ',
            differences: [{ path: 'id', kind: 'changed', expected: 'x', actual: 'y' }],
          },
        ],
      },
    })
    expect(record.score).toBeCloseTo(0.7, 12)
  })

  it('have a transcript in which every call of the reasons is found', async () => {
    const { id } = await add(small)
    const { total } = await get<ToolCallRecords>(`/tool-calls/${id}/records`)
    for (let index = 0; index < total; index++) {
      const { entries, leftOut } = await get<ToolCallTranscript>(`/tool-calls/${id}/records/${index}/transcript`)
      const { reasons } = await get<ToolCallRecord>(`/tool-calls/${id}/records/${index}`)
      const made = entries.flatMap(({ calls }) => calls)
      for (const { call } of reasons!.actions)
        if (call) expect(made[call.index]).toMatchObject({ index: call.index, name: call.name })
      expect(leftOut).toBe(0)
    }
    expect((await server.request(`/tool-calls/${id}/records/99/transcript`)).status).toBe(404)
  })

  it('have a transcript that stays below a megabyte, whatever the messages are', async () => {
    const traj = Array.from({ length: 3000 }, (_, index) => ({ role: 'user', content: `\u0001${index} `.repeat(300) }))
    const { id } = await add([{ ...small[0], traj }])
    const reply = await (await server.request(`/tool-calls/${id}/records/0/transcript`)).text()
    expect(Buffer.byteLength(reply)).toBeLessThan(1_000_000)
    const { entries, leftOut }: ToolCallTranscript = JSON.parse(reply)
    expect(entries.length + leftOut).toBe(3000)
    expect(entries[0]!.role).toBe('user')
  })

  it('are scored again if an older version stored them with `seed` as the name of `calls`', async () => {
    const { id } = await add(small, 'credit=calls')
    const before = await get<ToolCallFile>(`/tool-calls/${id}?credit=effects`)
    const folder = join(server.dataFolder, 'tool-calls', id)
    const age = (credit: string, name: string, change: (text: string) => string) => {
      const path = join(folder, credit, name)
      writeFileSync(path, change(readFileSync(path, 'utf8')))
    }
    age('effects', 'scored.json', (text) => text.replace(/"format":\d+,/, '').replaceAll('"calls":', '"seed":'))
    age('effects', 'records.jsonl', (text) => text.replaceAll('"calls":', '"seed":'))
    renameSync(join(folder, 'calls'), join(folder, 'seed'))
    expect(await get<ToolCallFile>(`/tool-calls/${id}?credit=effects`)).toEqual(before)
    expect(await get<ToolCallFile>(`/tool-calls/${id}?credit=seed`)).toMatchObject({ credit: 'calls' })
    const record = await get<ToolCallRecord>(`/tool-calls/${id}/records/1?credit=seed`)
    expect(record).toEqual(await get<ToolCallRecord>(`/tool-calls/${id}/records/1?credit=calls`))
    expect(record).toMatchObject({ scores: { calls: record.score }, reasons: { credit: 'calls' } })
    expect(readdirSync(folder)).not.toContain('seed')
  })

  it('stay below a megabyte however long the arguments are', async () => {
    const long = JSON.stringify({ id: '\u0001"'.repeat(900_000), amount: 1 })
    const { id } = await add([makeRecord(0, long, { reward: 1 })])
    const reply = await server.request(`/tool-calls/${id}/records/0`)
    const text = await reply.text()
    expect(Buffer.byteLength(text)).toBeLessThan(1_000_000)
    const record: ToolCallRecord = JSON.parse(text)
    expect(record.reasons!.actions[0]!.kind).toBe('arguments differ')
  })
})

/** What JSON strings can hold and lines, headers, paths or UTF-8 cannot. */
const strange: Record<string, string> = {
  'a line separator': 'a\u2028b',
  'a paragraph separator': 'a\u2029b',
  'line breaks': 'a\nb\r\nc\rd\u0085e\u000bf\u000cg',
  'control characters': 'a\u0000b\u0007c\u001bd\u007fe',
  'text that runs backwards': 'a\u202eb\u2066c\ufeff',
  'half a character': 'a\ud83d',
  'the other half': '\ude00b',
  'a character cut by a limit': `${'a'.repeat(119)}😀${'a'.repeat(79)}😀${'a'.repeat(98)}😀`,
  'a very long text': 'x'.repeat(1_000_000),
  'a path': '../../../etc/passwd',
  'a property of every object': '__proto__',
  nothing: '',
}

describe('strange texts', () => {
  it.each(Object.entries(strange))('are handled everywhere: %s', async (_name, text) => {
    const record = (index: number) => ({
      ...makeRecord(index, JSON.stringify({ id: text, amount: 1 })),
      task_id: index === 1 ? text : `plain ${index}`,
    })
    const records = [record(0), record(1), record(2)]
    const name = encodeURIComponent(text.toWellFormed().slice(0, 900).toWellFormed())
    const file = await add(records, `name=${name}`)
    expect(file.summary.records).toBe(3)
    const { id } = file
    for (const credit of ['calls', 'effects']) {
      const { records: rows, total } = await get<ToolCallRecords>(`/tool-calls/${id}/records?credit=${credit}`)
      expect([total, rows.map(({ index }) => index)]).toEqual([3, [0, 1, 2]])
      expect(rows[1]!.taskId).toBe(text.slice(0, 300))
      const shown = await get<ToolCallRecord>(`/tool-calls/${id}/records/1?credit=${credit}`)
      expect(shown.taskId).toBe(text.slice(0, 300))
      const copy = await server.request(`/tool-calls/${id}/scored?credit=${credit}`)
      const disposition = copy.headers.get('content-disposition')!
      expect([copy.status, disposition]).toEqual([200, expect.stringMatching(/^attachment; filename="[ -~]+"; /)])
      expect(disposition).not.toMatch(/\.\.\/|[\r\n]/)
      const written: { task_id: string }[] = JSON.parse(await copy.text())
      expect(written.map(({ task_id: taskId }) => taskId)).toEqual(['plain 0', text, 'plain 2'])
    }
    const found = await get<ToolCallRecords>(
      `/tool-calls/${id}/records?search=${name.slice(0, 60).replace(/%[^%]{0,1}$/, '')}`,
    )
    expect(found.total).toBeGreaterThanOrEqual(0)
    const other = await add(records, 'name=other.json')
    expect((await server.request(`/tool-calls/compare?a=${id}&b=${other.id}`)).status).toBe(200)
    for (const field of ['name', 'search', 'credit'])
      for (const raw of ['%ed%a0%80', '%ff', '%e2%80%a8', '%00', '%'])
        expect((await server.request(`/tool-calls/${id}/records?${field}=${raw}`)).status, raw).toBeLessThan(500)
    for (const raw of ['%ed%a0%80', '%e2%80%a8', '%00', '%ff'])
      expect((await server.request(`/tool-calls/${raw}`)).status).toBe(404)
  })
})

describe('two files', () => {
  it('are compared task by task, in sentences', async () => {
    const good = Array.from({ length: 12 }, (_, index) => makeRecord(index, '{"id":"x","amount":1}', { reward: 1 }))
    const poor = Array.from({ length: 12 }, (_, index) =>
      makeRecord(index, index < 2 ? '{"id":"x","amount":1}' : undefined, { reward: index < 2 ? 1 : 0 }),
    )
    const [a, b] = [await add(good, 'name=agent.json'), await add(poor, 'name=agent.json')]
    const shown = await get<ToolCallComparison>(`/tool-calls/compare?a=${a.id}&b=${b.id}`)
    expect([shown.a, shown.b]).toEqual(['agent.json (A)', 'agent.json (B)'])
    expect(
      shown.comparisons.map(({ measure, paired }) => [
        measure,
        paired!.n,
        paired!.wins,
        paired!.ties,
        paired!.isSignificant,
      ]),
    ).toEqual([
      ['success', 12, 10, 2, true],
      ['partial score', 12, 10, 2, true],
    ])
    expect(shown.sentences[0]).toMatch(/^success: agent\.json \(A\) beats agent\.json \(B\) by 83\.3 points/)
    expect((await server.request(`/tool-calls/compare?a=${a.id}&b=${a.id}`)).status).toBe(400)
    expect((await server.request(`/tool-calls/compare?a=${a.id}&b=nobody`)).status).toBe(404)
  })
})

describe('BFCL', () => {
  const results =
    '{"id": "parallel_0", "result": [{"play": "{\\"artist\\": \\"Toto\\", \\"minutes\\": 20}"}]}\n{"id": "parallel_1", "result": []}\n'
  const answers =
    '{"id": "parallel_0", "ground_truth": [{"play": {"artist": ["Toto"], "minutes": [20]}}]}\n{"id": "parallel_1", "ground_truth": [{"play": {"artist": ["Toto"]}}]}\n'

  it('results wait for their possible answers, which can be added later', async () => {
    const waiting = await add(results, 'name=result.json')
    expect(waiting).toMatchObject({ format: 'bfcl', summary: { records: 2, scored: 0 } })
    expect(waiting.problems[0]).toMatch(/^result\.json: none of the 2 records says which calls were expected/)
    const scored = await add(answers, `name=possible_answer.json&answersFor=${waiting.id}`)
    expect(scored).toMatchObject({ id: waiting.id, name: 'result.json', summary: { records: 2, scored: 2 } })
    expect((await get<ToolCallRecords>(`/tool-calls/${waiting.id}/records`)).records.map(({ score }) => score)).toEqual(
      [1, 0],
    )
    expect((await get<ToolCallFile>(`/tool-calls/${waiting.id}?credit=effects`)).summary.scored).toBe(2)
  })

  it('answers without results, and files without answers, are refused with advice', async () => {
    expect(await refuse(answers)).toMatchObject({
      status: 422,
      message: expect.stringMatching(/contains BFCL possible answers, not results; add the model’s results first/),
    })
    const waiting = await add(results)
    expect(await refuse(small, `name=x.json&answersFor=${waiting.id}`)).toMatchObject({
      status: 422,
      message: expect.stringMatching(/^x\.json contains no BFCL possible answers/),
    })
    const tau = await add(small)
    expect(await refuse(answers, `answersFor=${tau.id}`)).toMatchObject({
      status: 422,
      message: expect.stringMatching(/already contains the expected calls/),
    })
    expect(await refuse(answers, `answersFor=${'0'.repeat(24)}`)).toMatchObject({ status: 404 })
  })
})
