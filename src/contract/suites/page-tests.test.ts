import { expect, it } from 'vitest'
import { pageTestSchema } from './page-tests.ts'

const readStep = (step: object): string[] => {
  const read = pageTestSchema.safeParse({ name: 'It works', steps: [step] })
  return read.success ? [] : read.error.issues.map(({ path, message }) => `${path.slice(2).join('.')}: ${message}`)
}

it.each([
  { click: '#add', times: 3 },
  { click: { role: 'button', text: 'Save', nth: -1 } },
  { type: '', into: { label: 'Email' } },
  { press: ['ArrowLeft', 'Control+Shift+K', '*', 'Space'], seconds: 0.2 },
  { drag: '#a', to: '#b' },
  { drag: '#a', by: [40, 0] },
  { wait: 0.5 },
  { wait: { of: '#a', visible: true }, seconds: 10 },
  { resize: [375, 812] },
  { reload: true },
  { expect: { of: '#a', text: 3, style: { color: 'red' }, width: { is: 300, within: 2 }, leftOf: '#b' } },
  { expect: { of: 'a', attributes: { href: { matches: '/^https/' }, download: null } } },
  { expect: { title: { contains: 'Owls' }, noErrors: true } },
])('takes the step %j', (step) => {
  expect(readStep(step)).toEqual([])
})

it.each([
  [{}, 'a step has exactly one of click, hover, type, press, drag, wait, resize, reload, expect'],
  [{ click: '#a', press: 'a' }, 'exactly one of'],
  [{ click: '#a', into: '#b' }, 'into does not belong to click'],
  [{ type: 'Ada' }, 'type needs into'],
  [{ drag: '#a' }, 'drag needs either to or by'],
  [{ press: 'Return' }, 'must be a key such as Enter'],
  [{ click: { nth: 2 } }, 'needs css, role, text or label'],
  [{ expect: { text: 'Saved' } }, 'expect: text: say of which element'],
  [{ expect: { of: '#a' } }, 'expect: says nothing of the element'],
  [{ expect: {} }, 'expect: expects nothing'],
  [{ expect: { of: '#a', text: { within: 3 } } }, 'needs is, not, contains'],
  [{ expect: { of: '#a', text: { matches: '(' } } }, 'is not a pattern'],
  [{ clik: '#a' }, 'Unrecognized key: "clik"'],
])('refuses the step %j', (step, words) => {
  expect(readStep(step).join('\n')).toContain(words)
})
