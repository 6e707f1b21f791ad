import { describe, expect, it } from 'vitest'
import type { CallModel, DrivenPage, PageStep } from '../../contract/index.ts'
import { createRandom } from '../../statistics/index.ts'
import { countPageCheckCalls, failPageChecks, runPageChecks } from './page-checks.ts'

const checks = [
  { task: 'Switch to yearly billing', expectedResult: 'The prices change' },
  { task: 'Open the menu', expectedResult: 'The links are shown' },
]

/** A page whose only button does nothing the second time. */
function scriptedPage() {
  const opened: PageStep[][] = []
  const open = async (): Promise<DrivenPage> => {
    const steps: PageStep[] = []
    opened.push(steps)
    return {
      look: async () => ({ png: new Uint8Array([1]), controls: [{ number: 1, kind: 'button', name: 'Yearly' }] }),
      use: async (step) => {
        steps.push(step)
        return steps.length === 1 && step.action === 'click' && step.control === 1
      },
      close: async () => undefined,
    }
  }
  return { opened, page: { checks, open, toImage: () => 'data:image/png;base64,AQ==' } }
}

function scriptedJudge(...answers: unknown[]): { callModel: CallModel; prompts: string[] } {
  const prompts: string[] = []
  return {
    prompts,
    callModel: async ({ messages }) => {
      prompts.push(JSON.stringify(messages))
      const answer = answers[Math.min(prompts.length, answers.length) - 1]
      return { outcome: 'ok', response: typeof answer === 'string' ? answer : JSON.stringify(answer), latencyMs: 1 }
    },
  }
}

const click = { action: 'click', control: 1, reason: 'x' }
const passed = { action: 'finish', passed: true, reason: 'The prices changed.' }
const failed = { action: 'finish', passed: false, reason: 'No links.' }
const run = (page: Parameters<typeof runPageChecks>[0], callModel: CallModel) =>
  runPageChecks(page, { judgeModelIds: ['judge'], callModel }, createRandom('checks'))

describe('page checks', () => {
  it('are tried on a newly opened page each, and scored as passed of all', async () => {
    const { opened, page } = scriptedPage()
    const { callModel, prompts } = scriptedJudge(click, passed, click, click, failed)
    expect(await run(page, callModel)).toEqual({
      score: 0.5,
      notes: '1 of 2 checks passed',
      checks: [
        {
          name: 'Switch to yearly billing',
          scoringMethod: 'page-check',
          weight: 1,
          score: 1,
          notes: 'click button "Yearly"; The prices changed.',
        },
        {
          name: 'Open the menu',
          scoringMethod: 'page-check',
          weight: 1,
          score: 0,
          notes: 'click button "Yearly"; click button "Yearly" (nothing changed); No links.',
        },
      ],
    })
    expect(opened.map((steps) => steps.length)).toEqual([1, 2])
    expect(prompts[0]).toContain('The prices change')
    expect(prompts[0]).not.toContain('DONE')
    expect(prompts[1]).toContain('1. click button')
  })

  it('end after eight steps: the last question demands a verdict', async () => {
    const { page, opened } = scriptedPage()
    const { callModel, prompts } = scriptedJudge(click)
    const { score, checks: results } = await run({ ...page, checks: checks.slice(0, 1) }, callModel)
    expect(score).toBe(0)
    expect(results![0]!.notes).toContain('not decided within 8 steps')
    expect(opened[0]).toHaveLength(8)
    expect(prompts.at(-1)).toContain('No step is left: finish now.')
    expect(prompts.length).toBeLessThanOrEqual(countPageCheckCalls(checks.slice(0, 1)).most)
  })

  it('ask again for an unreadable step, then leave the cell unscored; the page is closed', async () => {
    let closed = 0
    const { page } = scriptedPage()
    const open = async () => ({ ...(await page.open()), close: async () => void closed++ })
    await expect(
      run({ ...page, open }, scriptedJudge('I would click it', click, passed).callModel),
    ).resolves.toMatchObject({
      score: 1,
    })
    closed = 0
    await expect(run({ ...page, open }, scriptedJudge({ action: 'dance' }).callModel)).rejects.toThrow(
      'no readable grade',
    )
    expect(closed).toBe(1)
  })

  it('fail if the page breaks while it is used', async () => {
    const { page } = scriptedPage()
    const open = async () => ({
      ...(await page.open()),
      use: () => Promise.reject(new Error('The page crashed its renderer.')),
    })
    const { score, checks: results } = await run(
      { ...page, checks: checks.slice(0, 1), open },
      scriptedJudge(click).callModel,
    )
    expect([score, results![0]!.notes]).toEqual([0, 'The page crashed its renderer.'])
  })

  it('combine a panel', async () => {
    const { page } = scriptedPage()
    const callModel: CallModel = async ({ modelId }) => ({
      outcome: 'ok',
      response: JSON.stringify(modelId === 'kind' ? passed : failed),
      latencyMs: 1,
    })
    const judging = { judgeModelIds: ['kind', 'strict'], callModel }
    expect((await runPageChecks(page, judging, createRandom('panel'))).score).toBe(0.5)
  })

  it('all fail on a page that nobody can see', () => {
    expect(failPageChecks(checks, 'The page shows nothing.')).toMatchObject({
      score: 0,
      notes: '0 of 2 checks passed',
      checks: [{ score: 0, notes: 'The page shows nothing.' }, { score: 0 }],
    })
  })
})
