import { expect, it } from 'vitest'
import { pointAt, splitPath, type PathRole } from './path-pattern.ts'

const point = (path: string, chosen: Record<string, PathRole>) => {
  const parts = splitPath(path)
  return pointAt(
    parts,
    parts.map(({ text }) => chosen[text] ?? 'any'),
  )
}

it('splits a path into what can name something', () => {
  expect(splitPath('runs/gpt-5/task__2/agent/trajectory.json').map(({ text }) => text)).toEqual([
    'runs',
    '/',
    'gpt',
    '-',
    '5',
    '/',
    'task',
    '__',
    '2',
    '/',
    'agent',
    '/',
    'trajectory',
    '.json',
  ])
})

it('makes the pattern of what was pointed at', () => {
  expect(point('runs/opus/retail-7.json', { opus: 'model', retail: 'task', '7': 'trial' })).toBe(
    '{model}/{task}-{trial}.json',
  )
  expect(point('job/hello__a1/agent/trajectory.json', { hello: 'task' })).toBe('{task}__*/*/*.json')
  expect(point('only.jsonl', { only: 'task' })).toBe('{task}.jsonl')
  expect(point('a/b.json', { a: 'model' })).toBe('')
})
