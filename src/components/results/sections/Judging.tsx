import { Loaded } from '../../ui/Loaded.tsx'
import { useQuery } from '@tanstack/react-query'
import type { JudgingView } from '../../../server/results/judging-view.ts'
import type { ResultsView } from '../../../server/results/results-view.ts'
import {
  formatCount,
  describeIdleCriteria,
  describeMissingJudges,
  describeOrder,
  describeRankAgreement,
  PAIRWISE_BASIS,
  STYLE_BASIS,
} from '../../../report/words/index.ts'
import { api } from '../../api.ts'
import { readReply } from '../../api-request.ts'
import { Link } from '../../router.tsx'
import { buttonClass } from '../../ui/Button.tsx'
import { makeRatingAxis, type RatingAxis } from '../../../report/charts/rating-axis.ts'
import { comparedTable, splitTable, styleTable } from '../../../report/tables/judges.ts'
import { ratingChart } from '../../ui/charts/rating-chart.tsx'
import { DataTable } from '../../ui/table/DataTable.tsx'
import { Panel, Section } from '../../ui/Page.tsx'
import { caseAddress } from '../addresses.ts'
import { CriteriaTable } from './CriteriaTable.tsx'

const JUDGED_METHODS = new Set(['rubric', 'pairwise'])

/** True if there may be comparisons, criteria or judges that split. */
function hasJudging({ suite, agreement }: Pick<ResultsView, 'suite' | 'agreement'>): boolean {
  return agreement !== undefined || (suite?.methods.some((method) => JUDGED_METHODS.has(method)) ?? false)
}

type Pairwise = NonNullable<JudgingView['pairwise']>

function RatingTable({ label, ratings, axis }: { label: string; ratings: Pairwise['ratings']; axis: RatingAxis }) {
  return (
    <DataTable label={label} columns={comparedTable} rows={ratings} keyOf={({ id }) => id} chart={ratingChart(axis)} />
  )
}

/** Ratings as they would be at equal length and formatting, and what those are worth to the judges. */
function StyleControl({ style, axis }: { style: NonNullable<Pairwise['style']>; axis: RatingAxis }) {
  return (
    <details>
      <summary className="w-fit py-1 text-muted hover:text-ink">At equal length and formatting</summary>
      <div className="flex flex-col gap-2 pt-1">
        <RatingTable label="Ratings at equal style" ratings={style.ratings} axis={axis} />
        <DataTable
          label="What style is worth, in rating points"
          columns={styleTable}
          rows={style.weights}
          keyOf={({ feature }) => feature}
        />
        <p className="text-xs text-muted">{STYLE_BASIS}</p>
      </div>
    </details>
  )
}

function ComparedInPairs({ pairwise }: { pairwise: Pairwise }) {
  const { pairs, cases, order, ratings, style, agreement } = pairwise
  const axis = makeRatingAxis([...ratings, ...(style?.ratings ?? [])])
  return (
    <Section
      title="Compared in pairs"
      id="pairwise"
      aside={`${formatCount(pairs, 'pair')} on ${formatCount(cases, 'case')}`}
    >
      <RatingTable label="Ratings from comparisons" ratings={ratings} axis={axis} />
      <p>
        {describeOrder(order)} {agreement && describeRankAgreement(agreement)}
      </p>
      {style && <StyleControl style={style} axis={axis} />}
      <p className="text-xs text-muted">{PAIRWISE_BASIS}</p>
    </Section>
  )
}

function Splits({
  selection,
  splits,
  runs,
}: {
  selection: string
  splits: NonNullable<JudgingView['splits']>
  runs: ResultsView['runs']
}) {
  const { sentence, answers, more } = splits
  return (
    <Section title="Where the judges split" id="splits">
      <p>{sentence}</p>
      <DataTable
        label="Answers that the judges split on"
        columns={splitTable}
        rows={answers}
        keyOf={({ testCaseId, modelId, runNumber }) => `${testCaseId} ${modelId} ${runNumber}`}
        draw={{
          case: ({ testCaseId, modelId, runNumber }) => (
            <Link
              to={caseAddress(selection, { id: testCaseId, model: modelId, run: runs[runNumber - 1]?.id ?? '' })}
              className="block truncate hover:underline"
            >
              {testCaseId}
            </Link>
          ),
        }}
      />
      {more > 0 && <p className="text-xs text-muted">{formatCount(more, 'more answer')} in the exports.</p>}
    </Section>
  )
}

function Criteria({ selection, judging, models }: { selection: string; judging: JudgingView; models: string[] }) {
  const { criteria } = judging
  const idle = describeIdleCriteria(criteria)
  return (
    <Section title="Criteria" id="criteria" aside={`how often each is met, partly counting half`}>
      {idle.length > 0 && (
        <Panel className="p-3">
          <ul className="flex flex-col gap-1">
            {idle.map((sentence) => (
              <li key={sentence} className="break-words">
                {sentence}
              </li>
            ))}
          </ul>
        </Panel>
      )}
      <CriteriaTable selection={selection} criteria={criteria} models={models} />
    </Section>
  )
}

function JudgingSections({ selection, view, judging }: { selection: string; view: ResultsView; judging: JudgingView }) {
  const { pairwise, criteria, splits, missingJudges, voteOn } = judging
  return (
    <>
      {voteOn !== undefined && (
        <p className="flex flex-wrap items-center gap-3">
          People compare these answers.
          <Link to={`/vote/${encodeURIComponent(voteOn)}`} className={buttonClass()}>
            Compare answers
          </Link>
        </p>
      )}
      {pairwise && <ComparedInPairs pairwise={pairwise} />}
      {criteria.length > 0 && (
        <Criteria selection={selection} judging={judging} models={view.rows.map(({ modelId }) => modelId)} />
      )}
      {splits && <Splits selection={selection} splits={splits} runs={view.runs} />}
      {describeMissingJudges(missingJudges).map((sentence) => (
        <p key={sentence} className="text-muted">
          {sentence}
        </p>
      ))}
    </>
  )
}

/** Comparisons, criteria, and the answers that judges split on. Loaded only if the suite has any. */
export function Judging({ selection, view }: { selection: string; view: ResultsView }) {
  const isNeeded = hasJudging(view)
  const judging = useQuery({
    queryKey: ['results', selection, 'judging'],
    queryFn: () => readReply(api.results[':selection'].judging.$get({ param: { selection } })),
    enabled: isNeeded,
  })
  if (!isNeeded) return null
  return (
    <Loaded query={judging} what="the verdicts of the judges" rows={3}>
      {(loaded) => <JudgingSections selection={selection} view={view} judging={loaded} />}
    </Loaded>
  )
}
