import type { ArenaCriterion, ArenaPanel } from '../../../contract/index.ts'
import { classes } from '../../ui/classes.ts'
import { formatScore } from '../../../report/words/index.ts'
import { scoreStyle } from '../../ui/charts/score-colour.ts'
import { describeEffort, describeState } from '../arena-words.ts'

function Criterion({ criterion: { label, weight, score, reason } }: { criterion: ArenaCriterion }) {
  return (
    <li className="flex flex-col gap-0.5">
      <div className="grid grid-cols-[minmax(0,1fr)_minmax(48px,96px)_auto] items-center gap-2">
        <span className="min-w-0 truncate">
          {label} <span className="text-xs text-muted">{Math.round(weight * 100)} %</span>
        </span>
        <span aria-hidden className="h-1.5 overflow-hidden rounded-full bg-sunken">
          {score !== undefined && (
            <span className="block h-full rounded-full bg-accent" style={{ width: `${score * 100}%` }} />
          )}
        </span>
        <span className="min-w-10 text-right tabular-nums">
          {score === undefined ? <span className="text-xs text-muted">not seen</span> : formatScore(score)}
        </span>
      </div>
      <p className="text-[13px] break-words text-muted">{reason}</p>
    </li>
  )
}

/** The scores of the four criteria; expanding shows the reasons. */
export function PanelScore({ panel }: { panel: ArenaPanel }) {
  const { score, modelId } = panel
  if (!score) return null
  const { criteria = [], judges = [], notes = '' } = score
  // For a judged page the first line of the notes repeats the criteria; the rest are warnings.
  const remarks = judges.length > 0 && criteria.length > 0 ? notes.split('\n').slice(1).join('\n') : notes
  const isPanel = judges.length > 1
  const effort = describeEffort(panel).join(' · ')
  return (
    <details className="group relative border-b border-line">
      <summary
        aria-label={`Why ${modelId} got ${formatScore(score.score)}`}
        className="flex min-h-8 list-none items-center gap-x-3 px-3 py-1 hover:bg-hover [&::-webkit-details-marker]:hidden"
      >
        <span
          className="rounded px-1.5 font-semibold tabular-nums"
          style={scoreStyle(score.score)}
          title="Weighted total of the four criteria, out of 100"
        >
          {formatScore(score.score)}
        </span>
        {criteria.map(({ name, label, score: points }) => (
          <span
            key={name}
            title={label}
            className="inline-flex shrink-0 items-baseline @max-xl:hidden gap-1 text-xs text-muted"
          >
            {label.split(' ')[0]}{' '}
            <span className={classes('tabular-nums', points !== undefined && 'font-medium text-ink')}>
              {points === undefined ? 'not seen' : Math.round(points * 100)}
            </span>
          </span>
        ))}
        <span className="min-w-0 truncate text-xs text-muted tabular-nums">
          {describeState(panel, { isLive: true })}
          <span className="hidden @3xl:inline"> · {effort}</span>
        </span>
        <span className="ml-auto shrink-0 text-xs text-accent-ink underline decoration-dotted">
          <span className="group-open:hidden">Why?</span>
          <span className="hidden group-open:inline">Less</span>
        </span>
      </summary>
      <div
        tabIndex={0}
        role="region"
        aria-label={`Reasons for the score of ${modelId}`}
        // Over the page, so that it does not move.
        className="absolute inset-x-0 top-full z-10 flex max-h-72 flex-col gap-3 overflow-auto border-y border-line bg-surface px-3 pt-2 pb-3 shadow-lg"
      >
        <p className="text-[13px] text-muted tabular-nums">{effort}</p>
        <ul className="flex flex-col gap-2">
          {criteria.map((criterion) => (
            <Criterion key={criterion.name} criterion={criterion} />
          ))}
        </ul>
        {isPanel && (
          <ul aria-label="Judges of the panel" className="flex flex-col gap-1">
            {judges.map(({ judgeModelId, score: points }) => (
              <li key={judgeModelId} className="flex gap-2">
                <span className="min-w-0 flex-1 truncate" title={judgeModelId}>
                  {judgeModelId}
                </span>
                <span className="tabular-nums">{formatScore(points)}</span>
              </li>
            ))}
          </ul>
        )}
        {remarks !== '' && <p className="text-[13px] break-words whitespace-pre-line text-warning">{remarks}</p>}
      </div>
    </details>
  )
}
