import { afterAll, beforeAll, expect, it } from 'vitest'
import type { RunResult, Suite } from '../../contract/index.ts'
import { buildReport } from '../../report/index.ts'
import { importRun } from '../../services/index.ts'
import type { RunsComparison } from './compare/compare-view.ts'
import { startResultsServer, type ResultsServer } from './testing/results-server.ts'

let server: ResultsServer
beforeAll(async () => {
  server = await startResultsServer()
})
afterAll(() => server.close())

const FRUITS = 'apples pears plums'.split(' ')
const WORDS = 'ba do ki lu me ra so ti va ne pu gi fo ha je'.split(' ')

/** Variants of three templates, then cases with words of their own; `padding` makes prompts long. */
const suite = (padding = 0): Suite => ({
  name: 'Fruits',
  testCases: Array.from({ length: 60 }, (_, index) => ({
    id: `c${index}`,
    prompt:
      index < 24
        ? `${FRUITS[index % 3]!} by the box: ${`${FRUITS[index % 3]!} that `.repeat(3)} Anna counted on day ${index} ${`${FRUITS[index % 3]!} ripe or green `.repeat(padding)}`
        : Array.from(
            { length: 8 },
            (_word, place) =>
              WORDS[(index * (place + 3)) % 15]! + WORDS[(index + place * place) % 15]! + WORDS[Math.floor(index / 4)]!,
          ).join(' '),
    weight: 1,
    scoringMethod: 'none',
  })),
})

const makeRun = (id: string, own: Suite, models: Record<string, (index: number) => number>): RunResult => ({
  id,
  kind: 'imported',
  models: Object.keys(models),
  testSuiteName: own.name,
  testSuiteSnapshot: own,
  startedAt: 1,
  completedAt: 2,
  status: 'completed',
  results: own.testCases.flatMap(({ id: testCaseId }, index) =>
    Object.entries(models).map(([modelId, scoreOf]) => ({
      testCaseId,
      modelId,
      status: 'completed' as const,
      outcome: 'ok' as const,
      response: 'x',
      score: { score: scoreOf(index) },
    })),
  ),
})

const ahead = (index: number) => (index < 24 && index % 3 === 2 ? 0 : 1)
const behind = (index: number) => (index < 24 ? 0 : 1)

it.each([
  ['few prompts', suite()],
  ['prompts that are compared in a thread', suite(150)],
])('the page of results warns of templates as the report does: %s', async (name, own) => {
  const [both, old, fresh] = [`both ${name}`, `old ${name}`, `new ${name}`]
  const run = makeRun(both, own, { A: ahead, B: behind })
  const report = buildReport(run)
  expect(report.templates?.sentence).toMatch(/^24 of 60 cases look like variants of 3 templates\. .*too close to call/)
  await importRun(run, server.storage, 3)
  await server.view(both)
  await expect
    .poll(async () => (await server.view(both)).verdictCard.caveats.map(({ text }) => text))
    .toContain(report.templates!.sentence)
  expect(await server.view(both)).toMatchObject({ caseCount: 60, clusterCount: 60, suite: { cases: 60, clusters: 60 } })

  await importRun(makeRun(old, own, { m: behind }), server.storage, 3)
  await importRun(makeRun(fresh, own, { m: ahead }), server.storage, 3)
  const { notes } = await server.json<RunsComparison>(
    `/compare?a=${encodeURIComponent(old)}&b=${encodeURIComponent(fresh)}`,
  )
  expect(notes[0]).toContain(
    '24 of 60 cases look like variants of 3 templates. Counted by case: m in B beats m in A; counted by template: too close to call.',
  )
})

it('the page says how many groups the cases are in, and then warns of nothing', async () => {
  const { testCases } = suite()
  const own = {
    name: 'Fruits',
    testCases: testCases.map((testCase, index) =>
      index < 24 ? { ...testCase, cluster: FRUITS[index % 3] } : testCase,
    ),
  }
  await importRun(makeRun('grouped', own, { A: ahead, B: behind }), server.storage, 3)
  const { suite: shown, clusterCount, verdictCard } = await server.view('grouped')
  expect([shown!.clusters, clusterCount]).toEqual([39, 39])
  expect(verdictCard.caveats.filter(({ kind }) => kind === 'templates')).toEqual([])
})
