import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { runCli } from '../testing/run-cli.ts'

const folder = mkdtempSync(join(tmpdir(), 'benchmaker-trajectories-'))
afterAll(() => rmSync(folder, { recursive: true }))

const conversation = (order: string, reply = 'done') => [
  { role: 'user', content: 'Cancel W7. I am mia@example.org.' },
  {
    role: 'assistant',
    content: '',
    tool_calls: [{ id: 'c', function: { name: 'cancel_order', arguments: JSON.stringify({ order_id: order }) } }],
  },
  { role: 'tool', tool_call_id: 'c', content: reply },
  { role: 'assistant', content: 'It is cancelled.' },
]

const save = (path: string, content: unknown) => {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), typeof content === 'string' ? content : JSON.stringify(content))
}

beforeAll(() => {
  for (const task of ['t1', 't2', 't3', 't4', 't5', 't6', 't7']) {
    save(`runs/opus/${task}.json`, conversation('W7'))
    save(`runs/haiku/${task}.json`, task === 't1' ? conversation('W7', 'Error: W7 is delivered') : conversation('W8'))
  }
  save('runs/notes.json', { colour: 'red' })
  const calls = '[{ name: cancel_order, arguments: { order_id: W7 } }]'
  save('key.yaml', `tasks: {${[1, 2, 3, 4, 5, 6, 7].map((task) => `t${task}: ${calls}`).join(', ')}}`)
})

const run = (...args: string[]) =>
  runCli(['trajectories', join(folder, 'runs'), '--task-from', '{model}/{task}.json', ...args], { columns: 110 })

it('compares models task by task without a key, and calls it no score', async () => {
  const { out, err, exitCode } = await run()
  expect(exitCode).toBe(0)
  expect(out).toMatch(/OpenAI chat · 14 trajectories/)
  expect(out).toContain('They are no score')
  expect(err).toContain('1 file without recorded runs left out')
})

it('grades with a key, with both figures and the cause of each failure', async () => {
  const { out } = await run('--key', join(folder, 'key.yaml'))
  expect(out).toMatch(/opus +100\.0 +7\/7 +7\/7/)
  expect(out).toMatch(/haiku +\S+ +0\/7 +0\/6/)
  expect(out).toMatch(/1 run not counted, because the agent did not cause the failure \(key 1\)/)
  expect(out).toMatch(/t1 haiku +key \(K1\)/)
  expect(out).toMatch(/t2 haiku +agent +turn 1, differs cancel_order: order_id expected "W7", got "W8"/)
  const { grades, summary, trajectories } = JSON.parse((await run('--key', join(folder, 'key.yaml'), '--json')).out)
  expect(trajectories).toHaveLength(14)
  expect(summary.models[1]).toMatchObject({ model: 'haiku', passed: 0, graded: 7, excused: { key: 1 } })
  expect(summary.models[1].withoutExcused).toMatchObject({ passed: 0, graded: 6 })
  expect(grades[0].losses[0].fault).toMatchObject({ cause: 'key', rule: 'K1', evidence: 'Error: W7 is delivered' })
})

it('has a judge grade whole runs', async () => {
  const data = ['--data', join(folder, 'data')]
  const { out, exitCode } = await run('--judge', 'demo/judge', ...data)
  expect(exitCode).toBe(0)
  expect(out).toContain('credit by demo/judge')
  expect(out).toMatch(/opus +\d+\.\d/)
  const both = await run('--judge', 'demo/judge', '--credit', 'effects')
  expect([both.exitCode, both.err]).toEqual([2, expect.stringContaining('choose one')])
})

it('writes ATIF without secrets, unless they are to be kept', async () => {
  const target = join(folder, 'atif')
  const { err } = await run('--atif', target, '--output', 'quiet')
  expect(err).toContain('Taken out: mail address 14.')
  expect(readdirSync(target)).toHaveLength(14)
  expect(readFileSync(join(target, 't1.json'), 'utf8')).not.toContain('mia@')
  await run('--atif', target, '--keep-secrets', '--output', 'quiet')
  expect(readFileSync(join(target, 't1.json'), 'utf8')).toContain('mia@')
  expect((await run('--keep-secrets')).exitCode).toBe(2)
})
