import type { LiveDeciding } from '../../../contract/index.ts'
import { placeEvidence, spreadLabels } from '../../../report/charts/index.ts'
import {
  describeDecidingState,
  describeDroppedModel,
  formatCount,
  formatEvidence,
  BEATS,
  lastEvidence,
} from '../../../report/words/index.ts'
import { useWidth } from '../../results/sections/use-width.ts'
import { CutName } from '../../ui/names/ModelName.tsx'
import { useLiveView } from './use-live-run.ts'
import { copySvg } from '../../ui/charts/chart-file.ts'
import { ChartMenu } from '../../ui/charts/ChartMenu.tsx'
import { Panel, Section } from '../../ui/Page.tsx'

const HEIGHT = 180
const PADDING = { left: 44, right: 28, top: 10, bottom: 24 }
const LABEL_GAP = 13

type Pair = LiveDeciding['pairs'][number]

const isInQuestion = ({ winner, isLeftOpen = false }: Pair) => winner === undefined && !isLeftOpen

function EvidenceChart({ deciding, width }: { deciding: LiveDeciding; width: number }) {
  const { pairs, line, cases, caseCount } = deciding
  const { paths, lineY, xTicks, yTicks } = placeEvidence(
    { lines: pairs, line, cases, caseCount },
    { width, height: HEIGHT, padding: PADDING },
  )
  const labels = spreadLabels(
    paths.map(({ end }) => end.y),
    LABEL_GAP,
    HEIGHT - PADDING.bottom,
  )
  const right = width - PADDING.right
  return (
    <svg
      role="img"
      aria-label={`Evidence against a line: ${describeDecidingState(deciding)}`}
      width={width}
      height={HEIGHT}
      className="block text-[11px]"
    >
      {yTicks.map(({ value, y }) => (
        <g key={value}>
          <line x1={PADDING.left} x2={right} y1={y} y2={y} stroke="var(--line)" />
          <text x={PADDING.left - 6} y={y + 4} textAnchor="end" fill="var(--muted)">
            {value < 1 ? value : formatCount(value)}
          </text>
        </g>
      ))}
      {xTicks.map(({ value, x }) => (
        <text key={value} x={x} y={HEIGHT - 6} textAnchor="middle" fill="var(--muted)">
          {formatCount(value)}
        </text>
      ))}
      <line x1={PADDING.left} x2={right} y1={lineY} y2={lineY} stroke="var(--ink)" strokeDasharray="4 3" />
      {paths.map(({ path, end }, index) => (
        <g key={`${pairs[index]!.modelA} ${pairs[index]!.modelB}`}>
          <path
            d={path}
            fill="none"
            stroke={isInQuestion(pairs[index]!) ? 'var(--accent)' : 'var(--muted)'}
            strokeWidth="1.5"
          />
          {pairs.length > 1 && (
            <text x={end.x + 4} y={labels[index]! + 4} fill="var(--muted)">
              {index + 1}
            </text>
          )}
        </g>
      ))}
      <text
        x={PADDING.left + 4}
        y={lineY - 5}
        fill="var(--ink)"
        stroke="var(--surface)"
        strokeWidth="4"
        paintOrder="stroke"
      >
        decided at {formatEvidence(line)}
      </text>
    </svg>
  )
}

/** `a beats b` or `a and b`, with how far it is from decided. */
function PairState({ pair }: { pair: Pair }) {
  const { modelA, modelB, winner, at = 0, isLeftOpen = false } = pair
  const isReversed = winner === modelB
  return (
    <>
      <CutName name={isReversed ? modelB : modelA} className={winner === undefined ? '' : 'font-medium'} />
      <span className="shrink-0">{winner === undefined ? 'and' : BEATS}</span>
      <CutName name={isReversed ? modelA : modelB} />
      <span className="shrink-0 text-muted tabular-nums">
        {winner !== undefined
          ? `at case ${formatCount(at)}`
          : `evidence ${formatEvidence(lastEvidence(pair))}${isLeftOpen ? ', left open' : ''}`}
      </span>
    </>
  )
}

/** Evidence against a line, while a run decides and after. */
export function LiveEvidence({ deciding }: { deciding: LiveDeciding }) {
  const [box, width] = useWidth<HTMLDivElement>(600)
  const { pairs, pairCount, cases, isSettled } = deciding
  // With the last decision all drop out, which says nothing.
  const dropped = deciding.dropped.filter(({ at, hasNoScore }) => hasNoScore || !isSettled || at < cases)
  const hidden = pairCount - pairs.length
  return (
    <Section title="Evidence" aside={describeDecidingState(deciding)}>
      <Panel className="flex flex-col gap-2 p-3">
        <span className="self-end">
          <ChartMenu
            name="evidence"
            draw={() => {
              const svg = box.current?.querySelector('svg')
              return svg ? copySvg(svg) : undefined
            }}
          />
        </span>
        <div ref={box}>
          <EvidenceChart deciding={deciding} width={width} />
        </div>
        <ol className="flex flex-col gap-1 text-[13px]">
          {pairs.map((pair, index) => (
            <li key={`${pair.modelA} ${pair.modelB}`} className="flex min-w-0 items-baseline gap-x-1.5">
              {pairs.length > 1 && <span className="w-4 shrink-0 text-right text-muted tabular-nums">{index + 1}</span>}
              <span className="flex min-w-0 flex-1 flex-wrap items-baseline gap-x-1.5">
                <PairState pair={pair} />
              </span>
            </li>
          ))}
        </ol>
        {hidden > 0 && <p className="text-[13px] text-muted">{formatCount(hidden, 'other pair')} not shown</p>}
        {dropped.length > 0 && (
          <p className="text-[13px] text-muted">Dropped: {dropped.map(describeDroppedModel).join(', ')}</p>
        )}
      </Panel>
    </Section>
  )
}

/** The evidence of a stored run that decided. */
export function RunEvidence({ runId }: { runId: string }) {
  const deciding = useLiveView(runId)?.progress.deciding
  return deciding && <LiveEvidence deciding={deciding} />
}
