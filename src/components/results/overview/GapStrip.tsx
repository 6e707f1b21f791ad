import type { VerdictGap } from '../../../report/model/verdict/verdict-gap.ts'
import { makeGapAxis } from '../../../report/charts/index.ts'
import { formatDifference, formatScoreTick } from '../../../report/words/index.ts'
import {
  describeGapStrip,
  formatGapInterval,
  nameForecast,
  SAME_BAND,
} from '../../../report/words/verdicts/pairs/gap-strip.ts'
import { classes } from '../../ui/classes.ts'
import { CutName } from '../../ui/names/ModelName.tsx'

interface Line {
  label?: string
  cases?: number
  low: number
  high: number
  kind: 'now' | 'even' | 'later' | 'enough'
}

const lineColours: Record<Line['kind'], [line: string, dot: string]> = {
  now: ['bg-interval', 'bg-accent'],
  even: ['bg-interval-even', 'bg-muted'],
  later: ['bg-interval-even opacity-60', 'bg-interval-even'],
  enough: ['bg-interval', 'bg-accent'],
}

function listLines({ forecast, isSignificant, low, high }: VerdictGap, cases: number): Line[] {
  const now: Line = { low, high, kind: isSignificant ? 'now' : 'even' }
  if (forecast.length === 0) return [now]
  return [
    { ...now, label: nameForecast(cases, true) },
    ...forecast.map((line, index): Line => ({
      ...line,
      label: nameForecast(line.cases, false),
      kind: index === forecast.length - 1 ? 'enough' : 'later',
    })),
  ]
}

/** The gap between two models with its interval, against 0 and the band in which it does not matter; if it is open, also with more cases. */
export function GapStrip({ gap, cases }: { gap: VerdictGap; cases: number }) {
  const { ahead, behind, mean, margin, forecast } = gap
  const lines = listLines(gap, cases)
  const axis = makeGapAxis([mean, ...lines.flatMap(({ low, high }) => [low, high])], margin)
  const percent = (value: number) => ((value - axis.from) / (axis.to - axis.from)) * 100
  const at = (value: number) => `${percent(value)}%`
  const span = (low: number, high: number) => ({ left: at(low), width: `${percent(high) - percent(low)}%` })
  const isForecast = forecast.length > 0
  // A phone has no room for the figures of the forecast beside it.
  const columns = isForecast ? 'grid-cols-[auto_minmax(0,1fr)] sm:grid-cols-[auto_minmax(0,1fr)_auto]' : 'grid-cols-1'
  return (
    <div role="img" aria-label={describeGapStrip(gap)} className="min-w-0 text-xs leading-4 text-muted tabular-nums">
      <div aria-hidden className={classes('grid gap-x-3', columns)}>
        {!isForecast && (
          <div className="relative mx-3 h-5">
            {margin !== undefined && (
              <span className="absolute -translate-x-1/2 text-[11px] whitespace-nowrap" style={{ left: at(0) }}>
                {Math.abs(percent(mean) - percent(0)) > 22 && SAME_BAND}
              </span>
            )}
            <span
              className="absolute -translate-x-1/2 bg-surface px-1 text-[13px] font-semibold text-ink"
              style={{ left: at(mean) }}
            >
              {formatDifference(mean)}
            </span>
          </div>
        )}
        {lines.map(({ label, low, high, kind }) => (
          <div key={label ?? 'now'} className="contents">
            {label !== undefined && (
              <span
                className={classes(
                  'text-right leading-6 whitespace-nowrap',
                  kind === 'even' && 'font-semibold text-ink',
                  kind === 'enough' && 'font-semibold text-accent-ink',
                )}
              >
                {label}
              </span>
            )}
            <div className={classes('relative mx-3', isForecast ? 'h-6' : 'h-8')}>
              {margin !== undefined && <span className="absolute inset-y-0 bg-sunken" style={span(-margin, margin)} />}
              {axis.ticks.map((tick) => (
                <span
                  key={tick}
                  className={classes('absolute inset-y-0 w-px', tick === 0 ? 'bg-line-strong' : 'bg-grid')}
                  style={{ left: at(tick) }}
                />
              ))}
              <span
                className={classes('absolute top-1/2 h-2 -translate-y-1/2 rounded-full', lineColours[kind][0])}
                style={span(low, high)}
              />
              <span
                className={classes(
                  'absolute top-1/2 size-3.5 -translate-x-1/2 -translate-y-1/2 rounded-full border-2 border-surface',
                  lineColours[kind][1],
                )}
                style={{ left: at(mean) }}
              />
            </div>
            {label !== undefined && (
              <span
                className={classes(
                  'leading-6 whitespace-nowrap max-sm:hidden',
                  kind === 'enough' && 'font-semibold text-accent-ink',
                  kind === 'even' && 'text-ink',
                )}
              >
                {formatGapInterval({ low, high })}
              </span>
            )}
          </div>
        ))}
        {isForecast && <span />}
        <div className="relative mx-3 mt-1 h-4">
          {axis.ticks.map((tick) => (
            <span key={tick} className="absolute -translate-x-1/2" style={{ left: at(tick) }}>
              {tick > 0 ? '+' : ''}
              {formatScoreTick(tick)}
            </span>
          ))}
        </div>
        {isForecast && <span className="max-sm:hidden" />}
        {isForecast && <span className="max-sm:hidden" />}
        <div className="mt-1 flex max-sm:col-span-full min-w-0 justify-between gap-4">
          <span className="flex min-w-0">
            ←&nbsp;
            <CutName name={behind} />
            &nbsp;better
          </span>
          <span className="flex min-w-0">
            <CutName name={ahead} />
            &nbsp;better&nbsp;→
          </span>
        </div>
      </div>
    </div>
  )
}
