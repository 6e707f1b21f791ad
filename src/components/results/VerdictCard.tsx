import { TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import type { ResultsView } from '../../server/results/results-view.ts'
import { formatCount } from '../../report/words/index.ts'
import { nameBriefly, renameModels } from '../../report/words/names.ts'
import { describeBasis } from '../../report/words/verdicts/leaderboard-notes.ts'
import { explainForecast } from '../../report/words/verdicts/pairs/gap-strip.ts'
import { verdictStates } from '../../report/words/verdicts/verdict-states.ts'
import { useMay } from '../access/session.ts'
import { Link } from '../router.tsx'
import { classes } from '../ui/classes.ts'
import { Panel } from '../ui/Page.tsx'
import { GapStrip } from './overview/GapStrip.tsx'
import { isLive } from './verdicts.ts'
import { StateChip } from './overview/StateChip.tsx'

/** What changes how the verdict reads, the most serious first; doubts about the judges are under Statistics. */
function listWarnings(view: Pick<ResultsView, 'verdictCard' | 'rows' | 'shared' | 'runs'>): string[] {
  const { disagreement, caveats, next, state } = view.verdictCard
  const { rows, shared } = view
  return [
    ...(disagreement === undefined ? [] : [disagreement]),
    ...caveats
      // The button to retry them says how many, as does the progress of a run.
      .filter(({ kind }) => kind !== 'errors' || (next.kind !== 'retry' && !['broken', 'running'].includes(state)))
      .filter(({ kind }) => kind !== 'judge-calibration')
      .map(({ text }) => text),
    // While a run goes on, it would come and go with every answer.
    ...[isLive(view) ? undefined : describeBasis({ rows, ...(shared && { shared }) })].filter(
      (text) => text !== undefined,
    ),
  ]
}

/** The most serious one, in a line; the rest is under Statistics. */
function Warning({ warnings, statistics }: { warnings: string[]; statistics: string }) {
  const [text, ...more] = warnings
  if (text === undefined) return null
  return (
    <p className="-mt-1 flex min-w-0 items-start gap-2 px-5 pb-3 text-[13px] max-sm:px-4">
      <TriangleAlert size={14} aria-hidden className="mt-[3px] shrink-0 text-warning" />
      <span className="min-w-0 break-words lg:truncate" title={text}>
        {text}
      </span>
      {more.length > 0 && (
        <Link to={`${statistics}#notes`} className="shrink-0 text-accent-ink hover:underline">
          {formatCount(more.length)} more
        </Link>
      )}
    </p>
  )
}

interface VerdictCardProps {
  view: ResultsView
  /** The address of the notes that have no room here. */
  statistics: string
  action?: ReactNode
  /** Of a run in progress: what is known by now, how far it is, and what to do. */
  live?: { outcome: string; progress: ReactNode; nextLine: string } | undefined
}

/** The leaderboard below has the whole names. */
const MAX_NAME_LENGTH = 28

/** The verdict at a glance: the outcome with its interval, the gap against 0, and what to do next. */
export function VerdictCard({ view, statistics, action, live }: VerdictCardProps) {
  const { state, gap, decided = [], conditions, next } = view.verdictCard
  const { outcome, nextLine } = live ?? view.verdictCard
  const { caseCount } = view
  // The button says it, to those who may press it.
  const isSaidByButton =
    useMay('runner') && (next.kind === 'retry' || next.kind === 'resume') && view.resume !== undefined
  const notes = [...decided, ...conditions].join(' ')
  const models = view.rows.map(({ modelId }) => modelId)
  const nameOf = nameBriefly(models, MAX_NAME_LENGTH)
  const rename = (text: string) => renameModels(text, models, nameOf)
  return (
    <section aria-label="Verdict">
      <Panel>
        <div className="flex flex-col gap-x-8 gap-y-4 px-5 py-4 max-sm:px-4 min-[1100px]:min-h-36 min-[1100px]:flex-row">
          <div className="flex min-w-0 flex-1 flex-col items-start gap-2" aria-live={live ? 'off' : 'polite'}>
            <StateChip look={verdictStates[state]} />
            <h2 className="text-xl leading-7 font-semibold tracking-tight text-balance break-words max-sm:text-lg max-sm:leading-[26px]">
              {splitInterval(rename(outcome)).map((part) =>
                part.startsWith('(95 % CI') ? (
                  <span
                    key={part}
                    className="text-base font-normal whitespace-nowrap text-muted max-sm:whitespace-normal"
                  >
                    {part}
                  </span>
                ) : (
                  part
                ),
              )}
            </h2>
            {gap && gap.forecast.length > 0 && <p className="text-xs text-muted">{explainForecast(gap)}</p>}
            {notes !== '' && (
              <p className="w-full min-w-0 text-[13px] break-words text-muted lg:truncate" title={notes}>
                {notes}
              </p>
            )}
            {live?.progress}
          </div>
          {gap && (
            <div className="w-full shrink-0 self-center min-[1100px]:w-[27rem] min-[1400px]:w-[30rem]">
              <GapStrip gap={{ ...gap, ahead: nameOf(gap.ahead), behind: nameOf(gap.behind) }} cases={caseCount} />
            </div>
          )}
        </div>
        <Warning warnings={listWarnings(view)} statistics={statistics} />
        <div className="flex min-h-12 flex-wrap items-center gap-x-4 gap-y-2 border-t border-line px-5 py-2 max-sm:px-4">
          <p className={classes('min-w-0 break-words', !isSaidByButton && 'flex-1 basis-80')}>
            <span className="font-semibold">Next:</span> {!isSaidByButton && rename(nextLine)}
          </p>
          {action}
        </div>
      </Panel>
    </section>
  )
}

/** The interval apart: it is read after the sentence. */
function splitInterval(outcome: string): string[] {
  return outcome.split(/(\(95 % CI [^)]*\))/).filter((part) => part !== '' && part !== '.')
}
