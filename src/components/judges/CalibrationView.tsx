import { calibrateAddress } from '../results/addresses.ts'
import { Loaded } from '../ui/Loaded.tsx'
import type { Calibration } from '../../server/judges/calibrations.ts'
import { presetOfPrompt } from '../../contract/index.ts'
import { useQuery } from '@tanstack/react-query'
import { api } from '../api.ts'
import { readReply } from '../api-request.ts'
import { Link, type ScreenProps } from '../router.tsx'
import { buttonClass } from '../ui/Button.tsx'
import { describeCertaintyFigures, listCalibrationFigures } from '../../report/words/judges/calibration.ts'
import { formatCount, formatDifference, formatScore } from '../../report/words/index.ts'
import { formatLocalTime } from '../ui/local-time.ts'
import { Page, Panel, Section } from '../ui/Page.tsx'
import { RatingBadge } from './CalibrationHistory.tsx'
import { ratedFigures, sampleTable } from '../../report/tables/judges.ts'
import { Badge } from '../ui/Badge.tsx'
import { DataTable } from '../ui/table/DataTable.tsx'
import { useNarrow } from '../ui/use-narrow.ts'
import { useRef } from 'react'
import { copySvg } from '../ui/charts/chart-file.ts'
import { ChartMenu } from '../ui/charts/ChartMenu.tsx'

type Result = Calibration['result']['samples'][number]
type Sample = Calibration['samples'][number]

function Reasons({ result, sample }: { result: Result; sample: Sample | undefined }) {
  return (
    <>
      {result.reasoning ?? result.unscored?.message ?? ''}
      {sample?.reason !== undefined && (
        <div className="mt-1 text-muted">
          Why {formatScore(result.expectedScore)}: {sample.reason}
        </div>
      )}
    </>
  )
}

/** Every sample with the expected score, the judge's score, and its reasoning. */
function CalibrationSamples({ results, samples }: { results: Result[]; samples: Sample[] }) {
  const isNarrow = useNarrow('many columns')
  const texts = new Map(samples.map((sample) => [sample.id, sample]))
  return (
    <Section title="Samples">
      <DataTable
        label="Samples"
        columns={sampleTable.filter(({ key }) => key !== 'within' && !(isNarrow && key === 'reasoning'))}
        rows={results}
        keyOf={({ sampleId }) => sampleId}
        draw={{
          sample: (result) => {
            const { trap, prompt, response } = texts.get(result.sampleId) ?? {}
            return (
              <div className="font-normal">
                <div className="font-medium">{result.sampleId}</div>
                {trap !== undefined && <div className="text-xs text-muted">trap: {trap}</div>}
                <div className="line-clamp-2 max-w-72 text-muted">{prompt}</div>
                <div className="line-clamp-2 max-w-72">
                  {response || <span className="text-muted">(empty answer)</span>}
                </div>
                {isNarrow && (
                  <div className="mt-2 break-words">
                    <Reasons result={result} sample={texts.get(result.sampleId)} />
                  </div>
                )}
              </div>
            )
          },
          error: ({ error, withinTolerance }) => (
            <>
              {formatDifference(error)} {!withinTolerance && <Badge kind="danger">outside</Badge>}
            </>
          ),
          reasoning: (result) => <Reasons result={result} sample={texts.get(result.sampleId)} />,
        }}
      />
    </Section>
  )
}

const SIZE = 320
/** Between dots in the same place; they are drawn towards the middle, where there is room. */
const STEP = 11
/** The labels of the ticks stand clear of dots on the axes. */
const TICK_GAP = 10
const LEFT = 42
const BOTTOM = 36
const toX = (score: number) => LEFT + score * (SIZE - LEFT - 12)
const toY = (score: number) => SIZE - BOTTOM - score * (SIZE - BOTTOM - 12)

/** Each sample as a dot: its expected score against the judge's. Dots in the same place are drawn side by side. */
function CalibrationScatter({ samples }: { samples: Calibration['result']['samples'] }) {
  const chart = useRef<SVGSVGElement>(null)
  const seen = new Map<string, number>()
  const dots = samples.flatMap(({ sampleId, expectedScore, actualScore, withinTolerance }) => {
    if (actualScore === undefined) return []
    const key = `${Math.round(expectedScore * 40)} ${Math.round(actualScore * 40)}`
    const nth = seen.get(key) ?? 0
    seen.set(key, nth + 1)
    return [
      { sampleId, expectedScore, actualScore, withinTolerance, shift: nth * (expectedScore > 0.5 ? -STEP : STEP) },
    ]
  })
  return (
    <Panel className="flex flex-col p-3">
      <span className="self-end">
        <ChartMenu name="calibration" draw={() => (chart.current ? copySvg(chart.current) : undefined)} />
      </span>
      <svg
        ref={chart}
        viewBox={`0 0 ${SIZE} ${SIZE}`}
        role="img"
        aria-label={`${dots.length} samples: expected score on the x axis, the judge’s score on the y axis`}
        className="mx-auto block w-full max-w-md text-[11px]"
      >
        {[0, 0.25, 0.5, 0.75, 1].map((tick) => (
          <g key={tick}>
            <line x1={toX(tick)} x2={toX(tick)} y1={toY(0)} y2={toY(1)} stroke="var(--line)" />
            <line x1={toX(0)} x2={toX(1)} y1={toY(tick)} y2={toY(tick)} stroke="var(--line)" />
            <text x={toX(tick)} y={toY(0) + TICK_GAP + 9} textAnchor="middle" fill="var(--muted)">
              {tick * 100}
            </text>
            <text x={LEFT - TICK_GAP} y={toY(tick) + 4} textAnchor="end" fill="var(--muted)">
              {tick * 100}
            </text>
          </g>
        ))}
        <line x1={toX(0)} y1={toY(0)} x2={toX(1)} y2={toY(1)} stroke="var(--line-strong)" strokeDasharray="4 3" />
        {dots.map(({ sampleId, expectedScore, actualScore, withinTolerance, shift }) => (
          <circle
            key={sampleId}
            cx={toX(expectedScore) + shift}
            cy={toY(actualScore)}
            r="4.5"
            fill={withinTolerance ? 'var(--accent)' : 'var(--surface)'}
            stroke={withinTolerance ? 'var(--accent)' : 'var(--danger)'}
            strokeWidth="2"
          >
            <title>{`${sampleId}: expected ${formatScore(expectedScore)}, judge ${formatScore(actualScore)}`}</title>
          </circle>
        ))}
        <text x={(toX(0) + toX(1)) / 2} y={SIZE - 2} textAnchor="middle" fill="var(--muted)">
          expected
        </text>
        <text transform={`translate(9 ${(toY(0) + toY(1)) / 2}) rotate(-90)`} textAnchor="middle" fill="var(--muted)">
          judge
        </text>
      </svg>
      <p className="text-center text-xs text-muted">filled: within tolerance · ring: outside</p>
    </Panel>
  )
}

function CalibrationPage({ calibration }: { calibration: Calibration }) {
  const { result, interpretation, source, setVersion, savedAt, samples } = calibration
  const unreadable = result.samples.filter(({ actualScore }) => actualScore === undefined).length
  return (
    <Page
      title={result.judgeModelId}
      subtitle={`${source}${setVersion === undefined ? '' : ` (${setVersion})`} · prompt ${result.promptVersion ?? ''} · ${formatLocalTime(savedAt)}`}
      actions={
        <Link
          to={calibrateAddress({ ...result, preset: presetOfPrompt(result.promptVersion ?? '') })}
          className={buttonClass()}
        >
          Calibrate again
        </Link>
      }
    >
      <Panel className="flex flex-col gap-1 p-3">
        <div className="flex flex-wrap items-center gap-2">
          <RatingBadge rating={interpretation.rating} />
          <span className="font-medium">{interpretation.summary}</span>
        </div>
        <p>
          {interpretation.certainty} {interpretation.advice}
        </p>
        {result.certainty && <p className="text-muted">{describeCertaintyFigures(result)}</p>}
        {unreadable > 0 && (
          <p className="text-warning">
            {formatCount(unreadable, 'score')} could not be read. They count as outside the tolerance, but not in the
            errors.
          </p>
        )}
      </Panel>
      <div className="grid items-start gap-4 lg:grid-cols-2">
        <Section title="Judge against expected" aside="On the line, the judge is right; above it, too lenient">
          <CalibrationScatter samples={result.samples} />
        </Section>
        <Section title="Summary">
          <DataTable
            label="Figures and the thresholds of each rating"
            columns={ratedFigures}
            rows={listCalibrationFigures(result)}
            keyOf={({ name }) => name}
            draw={{
              figure: ({ name, remark }) => (
                <>
                  {name}
                  {remark !== undefined && <div className="text-xs font-normal text-muted">{remark}</div>}
                </>
              ),
            }}
          />
        </Section>
      </div>
      <CalibrationSamples results={result.samples} samples={samples} />
    </Page>
  )
}

/** One calibration: the rating, its figures, and every sample. */
export function CalibrationView({ params }: ScreenProps) {
  const id = params['id']!
  const calibration = useQuery({
    queryKey: ['calibration', id],
    queryFn: () => readReply(api.calibrations[':id'].$get({ param: { id } })),
  })
  return (
    <Loaded query={calibration} what="the calibration" page="Calibration" back={{ to: '/judges', label: 'All judges' }}>
      {(loaded) => <CalibrationPage calibration={loaded} />}
    </Loaded>
  )
}
