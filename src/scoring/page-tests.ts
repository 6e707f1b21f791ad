import { z } from 'zod'
import {
  countNoun,
  pageTestsSchema,
  ScoringError,
  type CheckResult,
  type PageBench,
  type PageTest,
} from '../contract/index.ts'
import { defineScorer } from './scorer.ts'

const options = z.object({
  pageTests: pageTestsSchema.describe(
    'What to do on the page and what must then be so, each on a page that was just loaded',
  ),
  referencePage: z
    .string()
    .min(1)
    .optional()
    .describe('A page that passes all tests, as HTML or as a file beside the suite: benchmaker check tries it'),
})

export const NO_PAGES = 'Pages cannot be opened here: run the suite in the terminal or in the web app.'

/** Why no page can be opened on this machine. */
export async function findPageObstacle(pages: PageBench | undefined): Promise<string | undefined> {
  return pages ? pages.findProblem() : NO_PAGES
}

/** Throws where what is seen here says nothing about the page. */
export async function tryTests(
  response: string,
  tests: readonly PageTest[],
  { pages, earlier }: { pages: PageBench | undefined; earlier?: readonly string[] },
): Promise<CheckResult[]> {
  if (!pages) throw new ScoringError('page-not-seen', NO_PAGES)
  const tested = await pages.testPage(response, { tests, earlier })
  if ('notSeen' in tested)
    throw new ScoringError('page-not-seen', `The page could not be tested here. ${tested.notSeen}`)
  return tests.map(({ name, weight }, index) => {
    const { passed = false, notes = '' } = tested.outcomes[index] ?? {}
    return { name, scoringMethod: 'page-test', weight, score: passed ? 1 : 0, ...(!passed && { notes }) }
  })
}

/** What to read first of a score: how many passed, and what is wrong with the others. */
export function summariseChecks(checks: readonly CheckResult[], what: [one: string, several: string]): string {
  const failed = checks.filter(({ score }) => score < 1)
  const head = `${checks.length - failed.length} of ${countNoun(checks.length, ...what)} passed`
  return [head, ...failed.map(({ name, notes }) => `${name}: ${notes}`)].join('\n')
}

export const weigh = (checks: readonly CheckResult[]): number =>
  checks.reduce((sum, { score, weight }) => sum + score * weight, 0) /
  checks.reduce((sum, { weight }) => sum + weight, 0)

/** Tries a page in a browser as its suite says, without a judge. */
export const pageTests = defineScorer({
  name: 'page-tests',
  summary: 'Tries the page in a browser as scripted: clicks, keys, waits, and what must then be seen',
  expectedOutput: 'unused',
  options,
  opensPages: true,
  async score({ response }, { pageTests: tests }, { pages }) {
    const checks = await tryTests(response, tests, { pages })
    return { score: weigh(checks), notes: summariseChecks(checks, ['test', 'tests']), checks }
  },
})
