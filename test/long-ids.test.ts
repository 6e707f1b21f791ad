import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { partialScore, type PartialScoreOptions } from '../src/cli/commands/partial-score.ts'
import { scoreToolCalls } from '../src/scoring/tool-calls/index.ts'
import { startRouteServer } from '../src/server/testing/route-server.ts'
import { toolCallRoutes } from '../src/server/tool-calls/routes.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'long-ids-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

async function run(text: string, options: PartialScoreOptions) {
  const path = join(folder, 'results.json')
  writeFileSync(path, text)
  let stdout = ''
  const terminal = {
    stdout: { write: (piece: string) => void (stdout += piece) },
    stderr: { write: () => {} },
    colour: false,
    columns: 100,
    progress: false,
  }
  expect(await partialScore([path], options, terminal)).toBe(0)
  return { stdout, path }
}

/** A tau-bench file in which the agent deletes an account; ids are written as they stand in JSON. */
function deleteAccount(expected: string, actual: string, taskId = '0'): string {
  const call = { name: 'delete_account', arguments: `{"account_id": ${actual}}` }
  const traj = [
    { role: 'assistant', content: null, tool_calls: [{ id: 'a', type: 'function', function: call }] },
    { role: 'tool', tool_call_id: 'a', content: 'ok' },
  ]
  const actions = `[{"name": "delete_account", "kwargs": {"account_id": ${expected}}}]`
  return `[{"task_id": ${taskId}, "reward": 0.0, "info": {"task": {"actions": ${actions}, "outputs": []}}, "traj": ${JSON.stringify(traj)}, "trial": 0}]`
}

const ID = '1234567890123456789'
const OTHER = '1234567890123456780'

describe('ids beyond 2^53', () => {
  it.each([
    ['texts', `"${ID}"`, `"${OTHER}"`],
    ['numbers', ID, OTHER],
    ['a number and a text', ID, `"${OTHER}"`],
    ['negative numbers', `-${ID}`, `-${OTHER}`],
  ])('differ if a digit differs, as %s', async (_name, expected, actual) => {
    for (const credit of ['calls', 'effects']) {
      const { stdout } = await run(deleteAccount(expected, actual), { credit, explain: '0' })
      expect(stdout).toContain('Task 0, trial 0: 0.400')
      expect(stdout).toContain(`account_id: expected ${expected}, got ${actual}`)
    }
  })

  it('are equal if no digit differs; a text is a number only to effects credit', async () => {
    const scoreOf = async (expected: string, actual: string, credit: string) =>
      /: (\d\.\d+)/.exec((await run(deleteAccount(expected, actual), { credit, explain: '0' })).stdout)?.[1]
    for (const credit of ['calls', 'effects']) expect(await scoreOf(ID, ID, credit)).toBe('1.000')
    expect(await scoreOf(ID, `"${ID}"`, 'effects')).toBe('1.000')
    expect(await scoreOf(ID, `"${ID}"`, 'calls')).toBe('0.400')
    // As in Python, where 10 ** 18 == 1e18.
    expect(await scoreOf('1000000000000000000', '1e18', 'calls')).toBe('1.000')
  })

  it('stay as they are in --json, in task ids and in the scored copy', async () => {
    const text = deleteAccount(ID, OTHER, ID)
    const { stdout } = await run(text, { credit: 'effects', json: true })
    expect(stdout).toContain(`"taskId":"${ID}"`)
    expect(stdout).toContain(`"expected":${ID},"actual":${OTHER}`)
    const { path } = await run(text, {})
    const copy = readFileSync(path.replace('.json', '_partial.json'), 'utf8')
    expect(copy.replace(/, "partial_score": [\d.]+/, '')).toBe(text)
  })

  it('are compared in code too: in JSON text, in texts, and in what the user must be told', () => {
    const score = (expected: unknown, actual: unknown, credit: 'calls' | 'effects' = 'effects') =>
      scoreToolCalls([{ name: 'wipe', arguments: expected }], [{ name: 'wipe', arguments: actual }], { credit }).score
    expect(score({ id: ID }, { id: OTHER })).toBe(0.4)
    expect(score({ id: `${ID}.0` }, { id: ID })).toBe(1)
    expect(score({ ids: [ID, OTHER] }, { ids: [OTHER, OTHER] })).toBe(0.7)
    expect(score({ amount: '1.50' }, { amount: '1.5' })).toBe(1)
    expect(score({ id: '007' }, { id: '7' })).toBe(0.4)
    for (const credit of ['calls', 'effects'] as const)
      expect(score(`{"id": ${ID}}`, `{"id": ${OTHER}}`, credit)).toBe(0.4)
    // A number of JavaScript is rounded before it gets here: all that can be said is that it was rounded from this id.
    for (const credit of ['calls', 'effects'] as const)
      expect(score({ id: Number(ID) }, `{"id": ${ID}}`, credit)).toBe(1)

    const tell = (said: string) =>
      scoreToolCalls([], [], { credit: 'effects', outputs: { expected: [ID], said: [said] } }).score
    expect(tell(`Your account is ${ID}.`)).toBe(1)
    expect(tell(`Your account is ${OTHER}.`)).toBe(0)
  })

  it('are compared in BFCL’s three languages', async () => {
    const score = async (id: string, truth: string, result: string) => {
      const line = `{"id": "${id}", "ground_truth": [{"wipe": {"id": [${truth}]}}], "result": ${result}}`
      const { stdout } = await run(line, { credit: 'effects', json: true })
      return /"partial_score":([\d.]+)/.exec(stdout)?.[1]
    }
    for (const [given, found] of [
      [ID, '1'],
      [OTHER, '0.4'],
    ] as const) {
      expect(await score('simple_python_0', ID, `"[wipe(id=${given})]"`)).toBe(found)
      expect(await score('simple_python_0', ID, `[{"wipe": "{\\"id\\": ${given}}"}]`)).toBe(found)
      expect(await score('simple_java_0', ID, `"[wipe(id=${given}L)]"`)).toBe(found)
      expect(await score('simple_javascript_0', ID, `"[wipe(id=${given}n)]"`)).toBe(found)
    }
  })

  it('reach the web app as they are', async () => {
    const server = await startRouteServer([toolCallRoutes])
    try {
      const body = deleteAccount(ID, OTHER)
      const headers = { 'content-type': 'application/octet-stream' }
      const added = await server.request('/tool-calls?name=a.json', { method: 'POST', headers, body })
      const { id }: { id: string } = JSON.parse(await added.text())
      const record = await (await server.request(`/tool-calls/${id}/records/0`)).text()
      expect(record).toContain(`"expected":${ID},"actual":${OTHER}`)
      const transcript = await (await server.request(`/tool-calls/${id}/records/0/transcript`)).text()
      expect(transcript).toContain(`"arguments":{"account_id":${OTHER}}`)
    } finally {
      await server.close()
    }
  })

  it('are written by JSON.stringify as they were read', () => {
    const { reasons } = scoreToolCalls(
      [{ name: 'wipe', arguments: `{"id": ${ID}}` }],
      [{ name: 'wipe', arguments: `{"id": ${OTHER}}` }],
    )
    expect(JSON.stringify(reasons.actions[0]?.differences)).toBe(
      `[{"path":"id","kind":"changed","expected":${ID},"actual":${OTHER}}]`,
    )
  })
})
