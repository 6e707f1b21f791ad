import { Loaded } from '../../ui/Loaded.tsx'
import { useQuery } from '@tanstack/react-query'
import type { JudgingView } from '../../../server/results/judging-view.ts'
import type { ResultsView } from '../../../server/results/results-view.ts'
import {
  formatCount,
  formatRating,
  formatScore,
  describeOrder,
  PAIRWISE_BASIS,
  styleWords,
  STYLE_BASIS,
} from '../../../report/words/index.ts'
import { api } from '../../api.ts'
import { readReply } from '../../api-request.ts'
import { Link } from '../../router.tsx'
import { buttonClass } from '../../ui/Button.tsx'
import { IntervalMark } from '../../ui/charts/IntervalMark.tsx'
import { CutName } from '../../ui/names/ModelName.tsx'
import { Panel, Section, TablePanel } from '../../ui/Page.tsx'
import { caseAddress } from '../addresses.ts'
import { CriteriaTable } from './CriteriaTable.tsx'
import { TableHead } from '../../ui/TableHead.tsx'

/** One axis for all ratings, with 1000, the average, on it. */
function spanOf(ratings: readonly { low: number; high: number }[]): [number, number] {
  const low = Math.min(1000, ...ratings.map((rating) => rating.low))
  const high = Math.max(1000, ...ratings.map((rating) => rating.high))
  const margin = Math.max(10, (high - low) * 0.05)
  return [low - margin, high + margin]
}

const JUDGED_METHODS = new Set(['rubric', 'pairwise'])

/** True if there may be comparisons, criteria or judges that split. */
function hasJudging({ suite, agreement }: Pick<ResultsView, 'suite' | 'agreement'>): boolean {
  return agreement !== undefined || (suite?.methods.some((method) => JUDGED_METHODS.has(method)) ?? false)
}

type Pairwise = NonNullable<JudgingView['pairwise']>

function RatingTable({
  label,
  ratings,
  domain,
}: {
  label: string
  ratings: Pairwise['ratings']
  domain: [number, number]
}) {
  return (
    <TablePanel label={label}>
      <table className="w-full min-w-140 table-fixed text-[13px]">
        <TableHead
          columns={[
            { title: 'Model', className: 'w-56 px-3 py-1.5 text-left' },
            { title: 'Rating', className: 'w-20 px-2 text-right' },
            { title: '95 % CI', className: 'w-36 px-2 text-right' },
            {
              key: 'rating-with-its-interval',
              title: <span className="sr-only">Rating with its interval</span>,
              className: 'px-6 text-left',
            },
          ]}
        />
        <tbody>
          {ratings.map(({ id, rating, low, high }) => (
            <tr key={id} className="border-t border-line">
              <th scope="row" className="px-3 py-1.5 text-left font-medium">
                <CutName name={id} />
              </th>
              <td className="px-2 text-right font-medium tabular-nums">{formatRating(rating)}</td>
              <td className="px-2 text-right whitespace-nowrap text-muted tabular-nums">
                {formatRating(low)} to {formatRating(high)}
              </td>
              <td className="px-6">
                <IntervalMark
                  mean={rating}
                  low={low}
                  high={high}
                  domain={domain}
                  label={`${formatRating(rating)}, from ${formatRating(low)} to ${formatRating(high)}`}
                />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </TablePanel>
  )
}

/** Ratings as they would be at equal length and formatting, and what those are worth to the judges. */
function StyleControl({ style, domain }: { style: NonNullable<Pairwise['style']>; domain: [number, number] }) {
  return (
    <details>
      <summary className="w-fit py-1 text-muted hover:text-ink">At equal length and formatting</summary>
      <div className="flex flex-col gap-2 pt-1">
        <RatingTable label="Ratings at equal style" ratings={style.ratings} domain={domain} />
        <table className="w-fit text-[13px]">
          <caption className="text-left whitespace-nowrap text-muted">What style is worth, in rating points</caption>
          <tbody>
            {style.weights.map(({ feature, points, low, high }) => (
              <tr key={feature} className="border-t border-line">
                <th scope="row" className="py-1 pr-6 text-left font-normal first-letter:uppercase">
                  {styleWords[feature]}
                </th>
                <td className="px-2 text-right font-medium tabular-nums">{formatRating(points)}</td>
                <td className="px-2 text-right whitespace-nowrap text-muted tabular-nums">
                  {formatRating(low)} to {formatRating(high)}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
        <p className="text-xs text-muted">{STYLE_BASIS}</p>
      </div>
    </details>
  )
}

function ComparedInPairs({ pairwise }: { pairwise: Pairwise }) {
  const { pairs, cases, order, ratings, style, agreement } = pairwise
  const domain = spanOf([...ratings, ...(style?.ratings ?? [])])
  return (
    <Section
      title="Compared in pairs"
      id="pairwise"
      aside={`${formatCount(pairs, 'pair')} on ${formatCount(cases, 'case')}`}
    >
      <RatingTable label="Ratings from comparisons" ratings={ratings} domain={domain} />
      <p>
        {describeOrder(order)} {agreement}
      </p>
      {style && <StyleControl style={style} domain={domain} />}
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
      <TablePanel label="Answers that the judges split on">
        <table className="w-full text-[13px]">
          <TableHead
            columns={[
              { title: 'Case', className: 'px-3 py-1.5 text-left' },
              { title: 'Model', className: 'px-2 text-left' },
              { title: 'Points apart', className: 'px-2 text-right whitespace-nowrap' },
              { title: 'Grades', className: 'px-2 text-left' },
            ]}
          />
          <tbody>
            {answers.map(({ testCaseId, modelId, runNumber, spread, judges }) => (
              <tr key={`${testCaseId} ${modelId} ${runNumber}`} className="border-t border-line">
                <th scope="row" className="max-w-60 px-3 py-1.5 text-left font-medium">
                  <Link
                    to={caseAddress(selection, { id: testCaseId, model: modelId, run: runs[runNumber - 1]?.id ?? '' })}
                    className="block truncate hover:underline"
                  >
                    {testCaseId}
                  </Link>
                </th>
                <td className="max-w-48 px-2">
                  <CutName name={modelId} />
                </td>
                <td className="px-2 text-right font-medium tabular-nums">{formatScore(spread)}</td>
                <td className="px-2 whitespace-nowrap text-muted tabular-nums">
                  {judges.map(({ judgeModelId, score }) => `${judgeModelId} ${formatScore(score)}`).join(', ')}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </TablePanel>
      {more > 0 && <p className="text-xs text-muted">{formatCount(more, 'more answer')} in the exports.</p>}
    </Section>
  )
}

function Criteria({ selection, judging, models }: { selection: string; judging: JudgingView; models: string[] }) {
  const { criteria, idle } = judging
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
  const { pairwise, criteria, splits, missing, voteOn } = judging
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
      {missing.map((sentence) => (
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
