import { existsSync } from 'node:fs'
import { expect, it } from 'vitest'
import { loadSuite } from '../../index.ts'
import { suiteSchema, type PageBench } from '../../contract/index.ts'
import { startScoring } from '../../runner/index.ts'
import { checkConversations } from './check-conversations.ts'

const scoring = startScoring()
const check = async (cases: object[], more: object = {}) => {
  const suite = suiteSchema.parse({
    name: 'S',
    world: { doors: { d1: { open: false } } },
    tools: {
      open: {
        changes: true,
        code: "if (!world.doors[args.id]) throw new Error('no door'); world.doors[args.id].open = true",
      },
    },
    testCases: cases.map((one, index) => ({ id: `c${index}`, prompt: 'Open d1.', ...one })),
    ...more,
  })
  return (await checkConversations(suite, scoring)).map(({ kind, caseId }) => [caseId, kind])
}

it('plays each case without a model, and finds what is wrong with it', async () => {
  const open = [{ open: { id: 'd1' } }]
  expect(
    await check([
      { reference: open },
      { reference: [{ open: { id: 'd2' } }] },
      { reference: open, checks: [{ scoringMethod: 'world', holds: '!world.doors.d1.open' }] },
      { checks: [{ scoringMethod: 'tool-calls', forbid: ['open'] }] },
      {
        reference: open,
        checks: [{ scoringMethod: 'end-state' }, { scoringMethod: 'said', texts: ['The code is 4711'] }],
      },
      { reference: open, checks: [{ scoringMethod: 'end-state' }, { scoringMethod: 'said', texts: ['d1'] }] },
      { endState: { doors: { d1: { open: true } } } },
    ]),
  ).toEqual([
    ['c1', 'reference-fails'],
    ['c1', 'nothing-passes'],
    ['c2', 'reference-fails'],
    ['c2', 'nothing-passes'],
    ['c3', 'nothing-passes'],
    ['c4', 'unknown-reply'],
  ])
})

it('names tools whose code cannot be used', async () => {
  expect(
    await check([{ reference: [{ broken: {} }] }], { tools: { broken: { code: 'return nothing.at.all' } } }),
  ).toEqual([['c0', 'tools-fail']])
})

const mock = new URL('../../../../shared/data/tau2-mock/suite.yaml', import.meta.url)
it.skipIf(!existsSync(mock))(
  'finds the three such tasks of tau2’s mock domain (if ../shared/data is there)',
  async () => {
    const { suite } = await loadSuite(mock.pathname)
    expect((await checkConversations(suite, scoring)).map(({ kind, caseId }) => [caseId, kind])).toEqual([
      ['create_task_1_nl_eval', 'nothing-passes'],
      ['update_task_with_initialization_data', 'unknown-reply'],
      ['update_task_with_user_tools', 'reference-fails'],
    ])
  },
)

it('tries reference pages with the tests of their case', async () => {
  const steps = [{ expect: { of: 'p', visible: true } }]
  const page = (referencePage?: string) => ({
    id: referencePage ?? 'without',
    prompt: 'A page',
    scoringMethod: 'page-tests',
    pageTests: [{ name: 'Shows', steps }],
    ...(referencePage !== undefined && { referencePage }),
  })
  const suite = suiteSchema.parse({ name: 'S', testCases: [page('<p>'), page('<b>'), page('<i>'), page()] })
  const pages: PageBench = {
    findProblem: async () => undefined,
    seePage: async () => ({ notSeen: 'not used here' }),
    testPage: async (response) =>
      response.includes('<i>')
        ? { notSeen: 'No browser.' }
        : { outcomes: [{ passed: response.includes('<p>'), notes: 'expected p, saw none' }] },
  }
  expect(await checkConversations(suite, startScoring([], { pages }))).toEqual([
    { kind: 'reference-page-fails', caseId: '<b>', details: ['Shows: expected p, saw none'] },
    { kind: 'reference-page-unseen', caseId: '<i>', details: ['The page could not be tested here. No browser.'] },
  ])
})

it('says nothing of a conversation that is not scored, or by its pages', async () => {
  const turns = [{ user: 'A page' }]
  const pageTests = [{ name: 'Shows', steps: [{ expect: { of: 'p', visible: true } }] }]
  expect(
    await check([
      { prompt: undefined, turns, scoringMethod: 'none' },
      { prompt: undefined, turns: [{ user: 'A page', pageTests }] },
    ]),
  ).toEqual([])
})
