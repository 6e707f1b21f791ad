import type { ResultsView } from '../../../server/results/results-view.ts'
import { Copy } from 'lucide-react'
import { Button, IconButton } from '../../ui/Button.tsx'
import {
  describeInterval,
  describeIntervalMethod,
  FOR_A_REPORT,
  describePairLine,
  formatCount,
  formatPassed,
  formatPassRate,
  formatScore,
  formatPercent,
} from '../../../report/words/index.ts'
import { ModelName, CutName } from '../../ui/names/ModelName.tsx'
import { Panel, Section } from '../../ui/Page.tsx'
import { toast } from '../../ui/toast.ts'
import { PairPanel } from '../compare/PairPanel.tsx'
import { writeDrawing } from '../../../report/charts/svg/canvas.ts'
import { drawRuns } from '../../../report/charts/svg/report-charts.ts'
import { ChartMenu } from '../../ui/charts/ChartMenu.tsx'
import { RunStrips } from './RunStrips.tsx'
import { TableHead } from '../../ui/TableHead.tsx'
import { chooseVerdicts } from '../verdicts.ts'
import { Link } from '../../router.tsx'
import { caseAddress } from '../addresses.ts'

type Repeats = ResultsView['repeats'][string]

const MAX_FLAKY = 12

/** The values of k to show: all up to 6; with more, the first 5 and the last. */
function columnsFor(repeatCount: number): number[] {
  const all = Array.from({ length: repeatCount }, (_, index) => index + 1)
  return repeatCount <= 6 ? all : [...all.slice(0, 5), repeatCount]
}

/** pass@k shows what retrying is worth, pass^k how reliable a model is. */
function PassTable({ repeats }: { repeats: [modelId: string, repeats: Repeats][] }) {
  const repeatCount = Math.max(0, ...repeats.map(([, { passAtK }]) => passAtK.length))
  if (repeatCount === 0) return null
  const columns = columnsFor(repeatCount)
  const rows = repeats.flatMap(([modelId, { passAtK, passHatK }]) => [
    { modelId, kind: 'pass@k', values: passAtK },
    { modelId, kind: 'pass^k', values: passHatK },
  ])
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <p className="text-[13px] text-muted">
        pass@k: at least one of k runs passes. pass^k: all k pass. The mean over cases, without their weights.
      </p>
      <div
        className="scroll-cue overflow-x-auto"
        tabIndex={0}
        role="group"
        aria-label="pass@k and pass^k, scrolls sideways"
      >
        <table className="text-[13px]">
          <TableHead
            columns={[
              { title: 'Model', className: 'py-1 pr-3 text-left' },
              { title: 'Figure', className: 'px-2 text-left' },
              ...columns.map((k) => ({ title: `k = ${k}`, className: 'px-2 text-right whitespace-nowrap' })),
            ]}
          />
          <tbody>
            {rows.map(({ modelId, kind, values }) => (
              <tr key={`${modelId} ${kind}`} className={kind === 'pass@k' ? 'border-t border-line' : ''}>
                <th scope="row" className="max-w-56 py-1 pr-3 text-left font-normal">
                  {kind === 'pass@k' ? <CutName name={modelId} /> : <span className="sr-only">{modelId}</span>}
                </th>
                <td className="px-2 font-mono text-xs">{kind}</td>
                {columns.map((k) => (
                  <td key={k} className="px-2 text-right whitespace-nowrap">
                    {formatPercent(values[k - 1])}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </div>
  )
}

/** Cases that passed in some runs and failed in others: a single run would be down to luck. */
function FlakyCases({ selection, repeats }: { selection: string; repeats: [modelId: string, repeats: Repeats][] }) {
  const flaky = repeats.filter(([, { flakyCount }]) => flakyCount > 0)
  if (flaky.length === 0) return <p className="text-[13px]">No flaky cases: each passed in all runs or in none.</p>
  return (
    <ul className="flex flex-col gap-1 text-[13px]">
      {flaky.map(([modelId, { flaky: ids, flakyCount }]) => (
        <li key={modelId} className="break-words">
          <span className="font-medium">{modelId}</span>: {formatCount(flakyCount, 'case')} passed only in some runs:{' '}
          {ids.slice(0, MAX_FLAKY).map((id, index) => (
            <span key={id}>
              {index > 0 && ', '}
              <Link to={caseAddress(selection, { id, model: modelId })} className="text-accent-ink underline">
                {id}
              </Link>
            </span>
          ))}
          {flakyCount > MAX_FLAKY && ` and ${flakyCount - Math.min(MAX_FLAKY, ids.length)} more`}
        </li>
      ))}
    </ul>
  )
}

/** The paired comparison of each model with the next one in rank, as a line for a report. */
function listPairLines(view: Pick<ResultsView, 'comparisons' | 'rows'>): { line: string; about: string }[] {
  const { first } = chooseVerdicts(
    view.comparisons,
    view.rows.map(({ modelId }) => modelId),
  )
  return first.flatMap(({ comparison }) => {
    const line = describePairLine(comparison)
    return line === undefined ? [] : [{ line, about: `${comparison.modelA} and ${comparison.modelB}` }]
  })
}

const headings = ['Mean', 'SD', 'Min', 'Max', '95 % CI over runs', '95 % CI over cases', 'Passed', 'Pass rate']

async function copy(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
    toast('Copied.')
  } catch {
    toast('The browser blocked copying. Select the text instead.')
  }
}

function SeriesTable({ view }: { view: ResultsView }) {
  return (
    <div
      className="scroll-cue overflow-x-auto"
      tabIndex={0}
      role="group"
      aria-label="Figures over runs, scrolls sideways"
    >
      <table className="w-full text-[13px]">
        <TableHead
          columns={[
            { title: 'Model', className: 'py-1 pr-2 text-left' },
            ...headings.map((title) => ({ title, className: 'px-2 text-right whitespace-nowrap' })),
          ]}
        />
        <tbody>
          {view.rows.flatMap(({ modelId }) => {
            const stats = view.series[modelId]
            if (!stats) return []
            const { mean, stdDev, min, max, confidence95, method, overCases, scores } = stats
            return (
              <tr key={modelId} className="border-t border-line">
                <th scope="row" className="max-w-56 py-1.5 pr-2 text-left font-medium">
                  <ModelName id={modelId} withBadge={false} />
                </th>
                <td className="px-2 text-right font-semibold">{formatScore(mean)}</td>
                <td className="px-2 text-right">{formatScore(stdDev)}</td>
                <td className="px-2 text-right">{formatScore(min)}</td>
                <td className="px-2 text-right">{formatScore(max)}</td>
                <td
                  className="px-2 text-right whitespace-nowrap"
                  title={`${formatCount(scores.length, 'run')}; ${describeIntervalMethod(method)}`}
                >
                  {describeInterval(confidence95)}
                </td>
                <td
                  className="px-2 text-right whitespace-nowrap"
                  title={`${formatCount(overCases.n, 'case')}; ${describeIntervalMethod(overCases.method)}`}
                >
                  {describeInterval(overCases)}
                </td>
                <td className="px-2 text-right whitespace-nowrap">{formatPassed(stats)}</td>
                <td
                  className="px-2 text-right whitespace-nowrap"
                  title={`${formatCount(overCases.n, 'case')}; Clopper-Pearson`}
                >
                  {formatPassRate(stats)}
                </td>
              </tr>
            )
          })}
        </tbody>
      </table>
    </div>
  )
}

/** The paired comparisons, which decide, and then each model over its runs. */
function ReportLines({ view }: { view: ResultsView }) {
  const pairs = listPairLines(view)
  const entries = [...pairs, ...view.overRuns.map(({ line, modelId }) => ({ line, about: modelId }))]
  // Pasted elsewhere, the lines have no page around them that says which interval compares models.
  const note = `± is the standard deviation over ${formatCount(view.runs.length, 'run')} of the same cases, and its interval is over runs${pairs.length > 0 ? '; the paired lines compare models' : ''}.`
  const lines = [...entries.map(({ line }) => line), note]
  return (
    <div className="flex flex-col gap-1">
      <div className="flex items-center gap-2">
        <h3 className="text-[13px] font-medium">{FOR_A_REPORT}</h3>
        <Button kind="quiet" className="h-7 px-2 text-[13px]" onClick={() => void copy(lines.join('\n'))}>
          <Copy size={14} aria-hidden /> Copy all
        </Button>
      </div>
      <ul className="rounded-md bg-sunken py-1 font-mono text-xs">
        {entries.map(({ line, about }) => (
          <li key={line} className="flex items-center gap-1 px-2">
            <span className="min-w-0 flex-1 break-words">{line}</span>
            <IconButton
              label={`Copy the line for ${about}`}
              className="size-6 shrink-0"
              onClick={() => void copy(line)}
            >
              <Copy size={13} aria-hidden />
            </IconButton>
          </li>
        ))}
      </ul>
      <p className="text-xs text-muted">
        {pairs.length > 0 && 'The first lines compare models case by case: use those to say which is better. '}
        The lines with ± show how much each model varies over runs of the same cases, with the interval over runs.
      </p>
    </div>
  )
}

/** The statistics that need several runs. */
export function MultiRun({ selection, view }: { selection: string; view: ResultsView }) {
  const models = view.rows.map(({ modelId }) => modelId)
  const repeats = models.flatMap((modelId): [string, ResultsView['repeats'][string]][] => {
    const found = view.repeats[modelId]
    return found ? [[modelId, found]] : []
  })
  const strips = models.flatMap((modelId) => {
    const stats = view.series[modelId]
    return stats ? [{ modelId, stats }] : []
  })
  return (
    <Section title="Multi-Run Analysis" id="multi-run" aside={`${view.runs.length} runs of the same cases`}>
      <Panel className="flex flex-col gap-5 p-4">
        <div className="flex flex-col gap-1">
          <SeriesTable view={view} />
          <p className="max-w-4xl text-xs text-muted">
            The interval over runs is for the mean of many more runs of the same cases: it shows how consistent the
            models and judges are. The interval over cases is for the mean over more cases like these: it shows how well
            the result generalises to other questions. Use it to compare models. The pass rate and its interval are over
            cases too, with the runs of each case averaged first.
          </p>
        </div>
        <div className="flex min-w-0 flex-col">
          <span className="self-end">
            <ChartMenu
              name="runs"
              draw={(theme) => {
                const drawing = drawRuns({ ...view, series: new Map(Object.entries(view.series)) })
                return drawing && writeDrawing(drawing, theme)
              }}
            />
          </span>
          <RunStrips strips={strips} />
        </div>
        <ReportLines view={view} />
        <div className="grid gap-5 xl:grid-cols-2">
          <div className="flex min-w-0 flex-col gap-1">
            <h3 className="text-[13px] font-medium">Passing in k runs</h3>
            <PassTable repeats={repeats} />
          </div>
          <div className="flex min-w-0 flex-col gap-1">
            <h3 className="text-[13px] font-medium">Flaky cases</h3>
            <FlakyCases selection={selection} repeats={repeats} />
          </div>
        </div>
        {models.length > 1 && <PairPanel selection={selection} models={models} isSeries />}
      </Panel>
    </Section>
  )
}
