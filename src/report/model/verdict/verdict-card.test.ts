import { describe, expect, it } from 'vitest'
import type { CellResult, JudgeStanding, RunResult } from '../../../contract/index.ts'
import { describeReportLead } from '../../words/verdicts/lead.ts'
import { rankBySignificance } from '../../../statistics/ranking/ranks.ts'
import { describeInterval, describeLead } from '../../words/index.ts'
import { buildReport } from '../report.ts'
import { buildSummary } from '../summary.ts'
import { buildVerdictCard, type VerdictRun } from './verdict-card.ts'

const CASES = 30
const testCases = Array.from({ length: CASES }, (_, index) => ({
  id: `c${index}`,
  weight: 1,
  scoringMethod: 'llm-judge',
}))

/** Scores that vary by case around each model's mean. */
function makeRun(means: Record<string, number>, changes: Partial<RunResult> = {}): RunResult {
  const results = testCases.flatMap(({ id }, index) =>
    Object.entries(means).map(([modelId, mean], model): CellResult => ({
      testCaseId: id,
      modelId,
      outcome: 'ok',
      response: 'yes',
      cost: 0.01 * (model + 1),
      latencyMs: 1000 - 100 * model,
      score: { score: Math.min(1, Math.max(0, mean + (((index * (model + 2)) % 7) - 3) / 20)) },
    })),
  )
  return {
    id: 'r',
    models: Object.keys(means),
    status: 'completed',
    testSuiteSnapshot: { name: 'S', testCases },
    results,
    ...changes,
  }
}

const cardOf = (run: RunResult) => buildReport([run]).verdictCard

describe('the verdict card', () => {
  it('names the winner with the paired interval, and draws the gap', () => {
    const run = makeRun({ a: 0.9, b: 0.5, c: 0.3 })
    const card = cardOf(run)
    const { low, high } = (([l, h]) => ({ low: l * 100, high: h * 100 }))(
      buildSummary([run]).comparisons[0]!.comparison.paired!.shownInterval,
    )
    expect(card).toMatchObject({
      kind: 'winner',
      state: 'decided',
      conditions: [],
      caveats: [],
      next: { kind: 'none', text: 'No more data needed: the difference is larger than chance explains.' },
    })
    expect(card.outcome).toMatch(/^a is best: it beats b by \d+ points \(95 % CI /)
    expect(card.outcome).toContain(`${low.toFixed(0)} to ${high.toFixed(0)}`)
    expect(card.nextLine).toBe('No more data needed.')
    expect(card.gap).toMatchObject({ ahead: 'a', behind: 'b', isSignificant: true, forecast: [] })
    expect(card.gap!.low * 100).toBeCloseTo(low, 9)
  })

  it('names a tie, and that the gap is too small for such cases', () => {
    const card = cardOf(makeRun({ a: 0.62, b: 0.6, c: 0.2 }))
    expect(card).toMatchObject({
      kind: 'tie',
      state: 'undecided',
      gap: { ahead: 'a', behind: 'b', isSignificant: false, forecast: [] },
      next: { kind: 'choose-gap' },
    })
    expect(card.next.text).toMatch(/^A \d\.\d-point gap is too small for such cases; /)
    expect(card.outcome).toMatch(/^Too close to call: between b \+\d.* and a \+\d.* points\.$/)
  })

  describe('with missing answers', () => {
    /** Each model scores its level on the cases it answered, less a little noise; hard cases are worth half. */
    function cardAndLead(models: Record<string, { level: number; answers: (index: number) => boolean }>) {
      const results = Object.entries(models).flatMap(([modelId, { level, answers }], model) =>
        testCases.flatMap(({ id }, index): CellResult[] => {
          const score = level * (index < 15 ? 1 : 0.5) - 0.01 * ((index * (model + 2)) % 3)
          return answers(index) ? [{ testCaseId: id, modelId, outcome: 'ok', response: 'x', score: { score } }] : []
        }),
      )
      const run = makeRun({})
      const report = buildReport([{ ...run, models: Object.keys(models), results }])
      return { card: report.verdictCard, lead: describeReportLead(report), rows: report.rows }
    }
    const always = () => true
    const easy = (index: number) => index < 15

    it('the winner is the model that is better on shared cases, and it is first', () => {
      const two = cardAndLead({ fragile: { level: 0.8, answers: easy }, sturdy: { level: 0.9, answers: always } })
      expect(two.rows.map(({ modelId }) => modelId)).toEqual(['sturdy', 'fragile'])
      expect(two.card).toMatchObject({ kind: 'winner', gap: { ahead: 'sturdy', behind: 'fragile' } })
      expect(two.card.outcome).toMatch(/^sturdy beats fragile by /)
      const three = cardAndLead({
        fragile: { level: 0.8, answers: easy },
        sturdy: { level: 0.9, answers: always },
        weak: { level: 0.5, answers: always },
      })
      expect(three.rows.map(({ modelId, isLeftOut = false }) => [modelId, isLeftOut])).toEqual([
        ['sturdy', false],
        ['weak', false],
        ['fragile', true],
      ])
      expect(three.card.outcome).toBe(three.lead)
      expect(three.lead).toMatch(/^sturdy beats weak by /)
    })
  })

  describe('if better is not transitive', () => {
    /** The report of three models in which exactly these differences are real, each `better > worse`. */
    function withVerdicts(...verdicts: string[]) {
      const summary = buildSummary([makeRun({ a: 0.9, b: 0.6, c: 0.3 })])
      const isBetter = (x: string, y: string) => verdicts.includes(`${x} > ${y}`)
      const ids = ['a', 'b', 'c']
      const ranks = rankBySignificance(ids, isBetter)
      const rows = summary.rows.map((row) => ({ ...row, rank: ranks.get(row.modelId)! }))
      const comparisons = summary.comparisons.map(({ comparison: { paired, ...pair }, ...rest }) => {
        const isSignificant = isBetter(pair.modelA, pair.modelB) || isBetter(pair.modelB, pair.modelA)
        return { ...rest, comparison: { ...pair, paired: { ...paired!, isSignificant } } }
      })
      const card = buildVerdictCard({ rows, comparisons, runs: [] })
      return {
        card,
        lead: describeLead(
          rows,
          comparisons.map(({ comparison }) => comparison),
        ),
      }
    }

    it('a leader that does not beat everyone has not won', () => {
      const { card, lead } = withVerdicts('a > b', 'b > c')
      expect([card.kind, card.state]).toEqual(['tie', 'undecided'])
      expect(card.gap).toMatchObject({ ahead: 'a', behind: 'c' })
      expect(lead).toMatch(/^Too close to call: between /)
    })

    it('nobody has won if every model is beaten by another', () => {
      const { card, lead } = withVerdicts('a > b', 'b > c', 'c > a')
      expect(card).toMatchObject({ kind: 'tie', next: { text: 'Add cases that all models answer.' } })
      expect([card.outcome, lead]).toEqual([
        'No clear winner: on the cases that two models share, every model is beaten by another.',
        card.outcome,
      ])
    })
  })

  it('asks for nothing more where the difference worth knowing is ruled out', () => {
    const run = makeRun({ a: 0.6, b: 0.6 })
    const results = run.results.map((cell, index) => ({ ...cell, score: { score: 0.6 + 0.01 * (index % 3) } }))
    expect(buildReport([{ ...run, results }], { smallestDifference: 0.1 }).verdictCard.next).toEqual({
      kind: 'none',
      text: 'No more data needed: a difference of 10.0 points or more is ruled out.',
    })
  })

  it('says that a run stopped, why, and how to go on, before anything else', () => {
    const run = makeRun({ a: 0.9, b: 0.5 }, { status: 'cancelled', stopReason: 'budget' })
    const [first, second, ...rest] = run.results
    const failed: CellResult = { testCaseId: second!.testCaseId, modelId: 'b', outcome: 'error', error: 'HTTP 500' }
    const card = cardOf({ ...run, results: [first!, failed, ...rest.slice(0, 8)] })
    expect(card.caveats.map(({ kind, text }) => [kind, text])).toEqual([
      ['stopped', 'Stopped at its budget: the next request could have exceeded it.'],
      ['not-run', '50 of 60 cells were not run.'],
      ['errors', '1 of 60 cells ended in an error and is excluded from averages.'],
    ])
    expect(card.next).toEqual({
      kind: 'resume',
      text: 'Resume: it sends the 50 cells left, retries 1 error and keeps the rest.',
    })
  })

  it('counts the cells of runs that a series has not begun', () => {
    const done = makeRun({ a: 0.9, b: 0.5 }, { id: 'done' })
    const cut = makeRun({ a: 0.9, b: 0.5 }, { id: 'cut', status: 'cancelled' })
    const { verdictCard } = buildReport([done, { ...cut, results: [] }], { runsNotStarted: 1 })
    expect(verdictCard.caveats.map(({ text }) => text)).toEqual([
      '1 of 3 runs: Stopped before it finished.',
      '120 of 180 cells were not run.',
    ])
    expect(verdictCard.next.text).toBe('Resume: it sends the 120 cells left and keeps the rest.')
  })

  it('does not send more of what scores 0 everywhere, even if cells are left', () => {
    const run = makeRun({ a: 0, b: 0 }, { status: 'cancelled' })
    const results = run.results.slice(0, 20).map((cell) => ({ ...cell, score: { score: 0 } }))
    const { state, next } = cardOf({ ...run, results })
    expect([state, next.kind]).toEqual(['broken', 'rescore'])
  })

  it('offers to retry the errors of a completed run', () => {
    const run = makeRun({ a: 0.9, b: 0.5 })
    const results = run.results.map((cell, index): CellResult =>
      index < 7 ? { testCaseId: cell.testCaseId, modelId: cell.modelId, outcome: 'timeout', error: 'late' } : cell,
    )
    expect(cardOf({ ...run, results }).next).toEqual({
      kind: 'retry',
      text: 'Retry the 7 failed requests.',
    })
  })

  it('does not warn about cells that the suite does not score', () => {
    const run = makeRun({ a: 0.9 })
    const results = run.results.map(({ score: _score, ...cell }) => ({
      ...cell,
      unscored: { code: 'not-scored-by-design', message: '' },
    }))
    expect(cardOf({ ...run, results })).toMatchObject({ kind: 'none', caveats: [{ kind: 'unscored' }] })
    const collected = results.map((cell) => ({ ...cell, unscored: { code: 'no-scoring', message: '' } }))
    expect(cardOf({ ...run, results: collected })).toMatchObject({ kind: 'none', caveats: [] })
  })

  it('never contradicts the verdict: 4 to 0 discordant cases are not enough, and the interval contains 0', () => {
    const run = makeRun({ a: 1, b: 1 })
    const results = run.results.map((cell) => ({
      ...cell,
      score: { score: cell.modelId === 'b' && ['c0', 'c1', 'c2', 'c3'].includes(cell.testCaseId) ? 0 : 1 },
    }))
    const { state, gap } = cardOf({ ...run, results })
    expect([state, gap!.isSignificant]).toEqual(['undecided', false])
    expect(describeInterval(gap!)).toBe('0.0 to 26.2')
  })

  it('sends people to vote on answers that wait for it, even if some have a score', () => {
    const run = makeRun({ a: 0.9, b: 0.5 })
    const [first, second, ...others] = run.results
    const unscored = { code: 'not-judged', message: 'nobody voted' }
    const waiting = [first!, second!].map(({ score: _score, ...cell }) => ({ ...cell, unscored }))
    expect(cardOf({ ...run, results: [...waiting, ...others] }).next).toEqual({
      kind: 'vote',
      text: 'Vote: 2 cells have no score until people compare the answers.',
    })
  })

  it('waits for a run in progress instead of warning about the cells that are left', () => {
    const run = makeRun({ a: 0.9, b: 0.5 }, { status: 'running' })
    const { results } = run
    const summary = buildSummary([{ ...run, results: results.slice(0, 20) }])
    const runs: VerdictRun[] = [{ state: 'running' }]
    expect(buildVerdictCard({ ...summary, runs })).toMatchObject({
      caveats: [],
      next: { kind: 'wait', text: 'The run is in progress: 40 cells left.' },
    })
    // Of the few cases that are answered so far.
    const templates = { sentence: '2 of 2 cases look like variants of 1 template.' }
    expect(buildVerdictCard({ ...summary, templates, runs }).caveats).toEqual([])
    expect(buildVerdictCard({ ...summary, templates, runs: [{}] }).caveats[0]?.kind).toBe('templates')
  })

  it('says that one model alone cannot be compared, and that comparisons are pending', () => {
    expect(cardOf(makeRun({ a: 0.9 }))).toMatchObject({ kind: 'alone', next: { kind: 'add-model' } })
    const summary = buildSummary([makeRun({ a: 0.9, b: 0.5 })])
    expect(buildVerdictCard({ ...summary, comparisons: [], runs: [], isPending: true })).toMatchObject({
      kind: 'pending',
      state: 'pending',
      outcome: 'Comparing models…',
    })
  })
})

describe('judges on the verdict card', () => {
  const summary = buildSummary([makeRun({ 'x/claude-opus-4': 0.9, 'local/llama-3@terse': 0.4 })])
  const caveatsFor = (
    judgeModel: string,
    ratings: Record<string, 'excellent' | 'good' | 'fair' | 'poor'> | undefined,
  ) =>
    buildVerdictCard({
      ...summary,
      runs: [{ judgeModel }],
      calibrations: ratings && Object.entries(ratings).map(([judgeModelId, rating]) => ({ judgeModelId, rating })),
    })

  it('that compete, or are of the family of a contestant, are named', () => {
    expect(caveatsFor('local/llama-3,y/claude-haiku-3', undefined).caveats.map(({ text }) => text)).toEqual([
      'local/llama-3 also judges: models tend to prefer their own answers.',
      'The judge y/claude-haiku-3 is of the same family as x/claude-opus-4: models tend to prefer answers like their own.',
    ])
    expect(caveatsFor('y/gpt-5', undefined).caveats).toEqual([])
  })

  it('that are not calibrated, or calibrated as fair or poor, are named', () => {
    expect(caveatsFor('y/gpt-5', {}).caveats).toEqual([
      { kind: 'judge-calibration', text: 'The judge y/gpt-5 has not been calibrated.' },
    ])
    expect(caveatsFor('y/gpt-5', {}).next.kind).toBe('calibrate')
    expect(caveatsFor('y/gpt-5', { 'y/gpt-5': 'poor' }).caveats[0]?.text).toBe(
      'The judge y/gpt-5 was rated poor in its last calibration.',
    )
    expect(caveatsFor('y/gpt-5', { 'y/gpt-5': 'good' }).caveats).toEqual([])
  })

  it('that are rated well on too few samples, or with another prompt, are named', () => {
    const cardWith = (standing: Partial<JudgeStanding>, judgePrompt?: string) =>
      buildVerdictCard({
        ...summary,
        runs: [{ judgeModel: 'y/gpt-5', ...(judgePrompt !== undefined && { versions: { judgePrompt } }) }],
        calibrations: [
          {
            judgeModelId: 'y/gpt-5',
            rating: 'good',
            promptVersion: 'llm-judge/1',
            couldBe: [],
            samples: 8,
            ...standing,
          },
        ],
      })
    expect(cardWith({ couldBe: ['excellent', 'fair', 'poor'] }).caveats.map(({ text }) => text)).toEqual([
      'The judge y/gpt-5 was rated good on 8 samples; that is too few to rule out fair or poor.',
    ])
    expect(cardWith({ couldBe: ['excellent'] }, 'llm-judge/1').caveats).toEqual([])
    const other = cardWith({}, 'llm-judge/1, llm-judge/1+factuality/1')
    expect(other.caveats.map(({ text }) => text)).toEqual([
      'The judge y/gpt-5 was not calibrated with the prompt that scored these answers (llm-judge/1+factuality/1), only with llm-judge/1.',
    ])
    expect(other.next).toMatchObject({
      kind: 'calibrate',
      calibrate: { judgeModelId: 'y/gpt-5', preset: 'factuality' },
    })
    expect(cardWith({}, 'pairwise/1, rubric/1').caveats.map(({ text }) => text)).toEqual([
      'The judge y/gpt-5 was not calibrated with the prompt that scored these answers (pairwise/1, rubric/1), only with llm-judge/1.',
    ])
    // There are no samples of pages: the card says so, but does not ask for what cannot be done.
    const pages = cardWith({}, 'code-arena/1')
    expect([pages.caveats.length, pages.next.kind]).toEqual([1, 'none'])
  })

  it('that are calibrated are to be checked by people’s ratings, once', () => {
    const next = (isRated: boolean | undefined) =>
      buildVerdictCard({
        ...summary,
        runs: [{ judgeModel: 'y/gpt-5' }],
        calibrations: [{ judgeModelId: 'y/gpt-5', rating: 'good' }],
        isRated,
      }).next
    expect(next(false)).toEqual({
      kind: 'rate',
      text: 'Rate some answers yourself: then the scores of y/gpt-5 can be corrected by what people think.',
    })
    expect([next(true).kind, next(undefined).kind]).toEqual(['none', 'none'])
  })

  it('that disagree are named before the verdict and its numbers', () => {
    const agreement = { judges: ['p', 'q'], answers: 9, alpha: 0.4, icc: 0.4, pairs: [], means: [] }
    const card = buildVerdictCard({ ...summary, agreement, runs: [{ judgeModel: 'p,q' }] })
    expect(card.disagreement).toBe('The judges disagree: read their reasons before relying on these scores.')
    expect(card.next.kind).toBe('read-reasons')
    const agreed = buildVerdictCard({ ...summary, agreement: { ...agreement, alpha: 0.9 }, runs: [] })
    expect(agreed.disagreement).toBeUndefined()
  })

  it('that gave no verdict are a caveat', () => {
    const judging = { missingJudges: [{ judgeModelId: 'q', answers: 2 }] }
    const card = buildVerdictCard({ ...summary, judging, runs: [{ judgeModel: 'p,q' }] })
    expect(card.caveats).toContainEqual({
      kind: 'judge-missing',
      text: 'q gave no verdict on 2 answers; the rest of the panel scored them.',
    })
  })
})
