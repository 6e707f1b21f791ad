import type { AggregateScore } from '../../statistics/index.ts'
import type { CaseChange } from '../comparing/case-changes.ts'
import type { ComparisonReport } from '../comparing/comparison.ts'
import { listGroups } from '../model/standings/groups.ts'
import type { Report } from '../model/report.ts'
import type { ReportFormat } from './report-format.ts'

/** For a model without a score, which must not be left out. */
const NO_SCORE: Record<Exclude<keyof AggregateScore, 'missing'>, unknown> = {
  mean: null,
  stdDev: null,
  min: null,
  max: null,
  count: 0,
  totalWeight: 0,
  confidence95: null,
  method: null,
  passed: 0,
  passRate: null,
  passRateConfidence95: null,
  boundsWithMissing: [0, 1],
}

/** Over all runs of a series. */
function countMissing({ missing }: Report, modelId: string) {
  const {
    unscored = 0,
    errors = 0,
    notRun = 0,
    reasons = {},
  } = missing.find((summary) => summary.modelId === modelId) ?? {}
  return { unscored, errors, notRun, missingReasons: reasons }
}

function makeScore(report: Report, modelId: string) {
  const { missing: _missing, ...figures } = report.scores.get(modelId) ?? { ...NO_SCORE, missing: undefined }
  const { leader } = report
  const { cached, hosts, leftOut, score, own, isLeftOut } = report.rows.find((row) => row.modelId === modelId) ?? {}
  return {
    ...figures,
    ...(score &&
      leader?.modelId === modelId &&
      leader.luck > 0 && {
        shownInterval: [score.low, score.high],
        firstOf: { models: leader.models, luck: leader.luck },
      }),
    ...(own && { own }),
    ...(isLeftOut && { isLeftOut }),
    ...countMissing(report, modelId),
    ...(cached && { cached }),
    ...(hosts && { hosts: Object.fromEntries(hosts.map(({ text, cells }) => [text, cells])) }),
    ...(leftOut && { notSent: Object.fromEntries(leftOut.map(({ text, cells }) => [text, cells])) }),
  }
}

function makeJudging({ splits, missingJudges, criteria, pairwise, nextStep }: Report['judging']) {
  return {
    ...(splits && { judgeSplits: splits }),
    ...(missingJudges.length > 0 && { missingJudges }),
    ...(criteria.length > 0 && { criteria }),
    ...(pairwise && { pairwise }),
    ...(nextStep && { nextStep }),
  }
}

function makeChange({ before, after, ...change }: CaseChange): unknown {
  const makeCell = (cell: CaseChange['before']) =>
    cell && { score: cell.score ?? null, passed: cell.passed, scored: cell.scored, state: cell.state }
  return { ...change, before: makeCell(before) ?? null, after: makeCell(after) ?? null }
}

/** `changes` and `suiteChanges` of `--json`. */
function makeComparison({ pairs, suite, agreement }: ComparisonReport): Record<string, unknown> {
  return {
    changes: pairs.map(({ labels: [before, after], samples, changes: { cases, ...counts } }) => ({
      before,
      after,
      ...(samples && { samples }),
      ...counts,
      cases: cases.map(makeChange),
    })),
    suiteChanges: {
      changed: Object.fromEntries(suite.changed),
      otherPassMark: [...suite.otherMark],
      renamed: suite.renamed,
      settings: suite.settings,
    },
    ...(agreement && { rankAgreement: agreement }),
  }
}

/**
 * The document that `--json` prints and JSON exports contain; `parseRunFile` reads it back. `scores` is the leaderboard,
 * over all runs of a series: `mean` is over the cases that all ranked models have, `own` is a model by itself, and
 * the `shownInterval` of the first of several reaches lower than `confidence95` by what it may owe to luck. `series` has the figures over runs, with pass@k
 * and pass^k from k = 1; its `mean` is that of the run scores. The verdict of a comparison is in `paired`; beside it stand
 * the figures of the test that `test` names.
 */
export function makeRunDocument(report: Report): Record<string, unknown> {
  const { runs, rows, series, comparisons, agreement, judgeNotes, judging, people, cost, isCostKnown } = report
  const {
    unfinished,
    decisions,
    templates,
    costs,
    hosts,
    caseCount,
    clusterCount,
    comparison: compared,
    shared,
  } = report
  const groups = listGroups(report)
  const describeSeries = () =>
    Object.fromEntries(
      series.map(({ repeats, ...stats }) => [
        stats.modelId,
        { ...stats, ...countMissing(report, stats.modelId), ...repeats },
      ]),
    )
  return {
    runs,
    scores: Object.fromEntries(rows.map(({ modelId }) => [modelId, makeScore(report, modelId)])),
    ...(shared && { shared }),
    ...(runs.length > 1 && { series: describeSeries() }),
    comparisons: comparisons.map(({ comparison }) => comparison),
    ...(costs?.margin !== undefined && { costs }),
    ...(report.byHistory && { byHistory: report.byHistory }),
    ...(hosts && { hosts }),
    ...(report.wordings && { wordings: report.wordings }),
    ...(groups.length > 0 && { groups }),
    ...(clusterCount < caseCount && { clusters: clusterCount }),
    ...(templates && { templates }),
    ...(decisions && { decisions }),
    ...(agreement && { judgeAgreement: agreement }),
    ...(judgeNotes.length > 0 && {
      judgeNotes: judgeNotes.map(({ judgeModelId, reason, text }) => ({ judgeModelId, reason, text })),
    }),
    ...(people && { peopleRatings: people }),
    ...makeJudging(judging),
    // Null, not 0, if no cost is known. `unknownCosts` counts the answers that are not in the sum.
    cost: isCostKnown ? cost.total : null,
    ...(cost.unknown > 0 && { unknownCosts: cost.unknown }),
    ...(unfinished.length > 0 && { unfinished }),
    ...(compared && compared.pairs.length > 0 && makeComparison(compared)),
  }
}

export function writeJson(report: Report): string {
  return `${JSON.stringify(makeRunDocument(report), null, 2)}\n`
}

export const jsonFormat: ReportFormat = {
  name: 'json',
  label: 'JSON',
  extension: '.json',
  mediaType: 'application/json',
  write: writeJson,
}
