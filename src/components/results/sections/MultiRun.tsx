import type { ResultsView } from '../../../server/results/results-view.ts'
import { Copy } from 'lucide-react'
import { Button, IconButton } from '../../ui/Button.tsx'
import {
  describeIntervalMethod,
  FOR_A_REPORT,
  describePairLine,
  formatCount,
  formatSeriesLine,
} from '../../../report/words/index.ts'
import { describeCases } from '../../../report/words/verdicts/verdicts.ts'
import { listRepeated } from '../../../report/model/standings/standings.ts'
import { listPassRows, passTable, seriesTable } from '../../../report/tables/series.ts'
import { DataTable } from '../../ui/table/DataTable.tsx'
import { Folded } from '../../ui/Folded.tsx'
import { CutName } from '../../ui/names/ModelName.tsx'
import { Panel, Section } from '../../ui/Page.tsx'
import { toast } from '../../ui/toast.ts'
import { ExpandablePair } from '../compare/PairPanel.tsx'
import { writeDrawing } from '../../../report/charts/svg/canvas.ts'
import { drawRuns } from '../../../report/charts/svg/report-charts.ts'
import { ChartMenu } from '../../ui/charts/ChartMenu.tsx'
import { RunStrips } from './RunStrips.tsx'
import { chooseVerdicts } from '../verdicts.ts'
import { Link } from '../../router.tsx'
import { caseAddress } from '../addresses.ts'

const MAX_FLAKY = 12

/** pass@k shows what retrying is worth, pass^k how reliable a model is. */
function PassTable({ series }: Pick<ResultsView, 'series'>) {
  const rows = listPassRows(series)
  if (rows.length === 0) return null
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <p className="text-[13px] text-muted">
        pass@k: at least one of k runs passes. pass^k: all k pass. The mean over cases, without their weights.
      </p>
      <DataTable
        label="pass@k and pass^k"
        isFramed={false}
        columns={passTable(rows)}
        rows={rows}
        keyOf={({ modelId, figure }) => `${modelId} ${figure}`}
        draw={{
          model: ({ modelId, figure }) =>
            figure === 'pass@k' ? <CutName name={modelId} /> : <span className="sr-only">{modelId}</span>,
        }}
      />
    </div>
  )
}

/** Cases that passed in some runs and failed in others: a single run would be down to luck. */
function FlakyCases({ selection, series }: { selection: string } & Pick<ResultsView, 'series'>) {
  const flaky = series.filter(({ flakyCount = 0 }) => flakyCount > 0)
  if (flaky.length === 0) return <p className="text-[13px]">No flaky cases: each passed in all runs or in none.</p>
  return (
    <ul className="flex flex-col gap-1 text-[13px]">
      {flaky.map(({ modelId, repeats, flakyCount = 0 }) => (
        <li key={modelId} className="break-words">
          <span className="font-medium">{modelId}</span>: {formatCount(flakyCount, 'case')} passed only in some runs:{' '}
          {repeats?.flaky.slice(0, MAX_FLAKY).map((id, index) => (
            <span key={id}>
              {index > 0 && ', '}
              <Link to={caseAddress(selection, { id, model: modelId })} className="text-accent-ink underline">
                {id}
              </Link>
            </span>
          ))}
          {flakyCount > MAX_FLAKY && ` and ${formatCount(flakyCount - MAX_FLAKY)} more`}
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

async function copy(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
    toast('Copied.')
  } catch {
    toast('The browser blocked copying. Select the text instead.')
  }
}

function SeriesTable({ series }: Pick<ResultsView, 'series'>) {
  return (
    <DataTable
      label="Figures over runs"
      isFramed={false}
      columns={seriesTable}
      rows={series}
      keyOf={({ modelId }) => modelId}
      hints={{
        overRuns: ({ scores, method }) => `${formatCount(scores.length, 'run')}; ${describeIntervalMethod(method)}`,
        overCases: ({ overCases }) => `${describeCases(overCases)}; ${describeIntervalMethod(overCases.method)}`,
        passRate: ({ overCases }) => `${describeCases(overCases)}; Clopper-Pearson`,
      }}
    />
  )
}

/** The paired comparisons, which decide, and then each model over its runs. */
function ReportLines({ view }: { view: ResultsView }) {
  const pairs = listPairLines(view)
  const entries = [
    ...pairs,
    ...listRepeated(view).map((stats) => ({ line: formatSeriesLine(stats.modelId, stats), about: stats.modelId })),
  ]
  // Pasted elsewhere, the lines have no page around them that says which interval compares models.
  const note = `± is the standard deviation over ${formatCount(view.runs.length, 'run')} of the same cases, and its interval is over runs${pairs.length > 0 ? '; the paired lines compare models' : ''}.`
  const lines = [...entries.map(({ line }) => line), note]
  return (
    <Folded title={FOR_A_REPORT}>
      <Button kind="quiet" className="h-7 w-fit px-2 text-[13px]" onClick={() => void copy(lines.join('\n'))}>
        <Copy size={14} aria-hidden /> Copy all
      </Button>
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
      <p className="text-xs text-muted">{note}</p>
    </Folded>
  )
}

/** The statistics that need several runs. */
export function MultiRun({ selection, view }: { selection: string; view: ResultsView }) {
  const { series } = view
  const models = view.rows.map(({ modelId }) => modelId)
  return (
    <Section title="Multi-Run Analysis" id="multi-run" aside={`${view.runs.length} runs of the same cases`}>
      <Panel className="flex flex-col gap-5 p-4">
        <div className="flex flex-col gap-1">
          <SeriesTable series={series} />
          <p className="max-w-4xl text-xs text-muted">
            Over runs: how consistent a model is on these cases. Over cases, as the pass rate: how well it would do on
            more cases like these.
          </p>
        </div>
        <div className="relative flex min-w-0 flex-col">
          <span className="absolute -top-1 right-0">
            <ChartMenu
              name="runs"
              draw={(theme) => {
                const drawing = drawRuns(view)
                return drawing && writeDrawing(drawing, theme)
              }}
            />
          </span>
          <RunStrips series={series} />
        </div>
        <div className="flex flex-col gap-1">
          <ReportLines view={view} />
          <Folded title="Passing in k runs">
            <PassTable series={series} />
          </Folded>
          <Folded title="Flaky cases">
            <FlakyCases selection={selection} series={series} />
          </Folded>
          {models.length > 1 && <ExpandablePair selection={selection} models={models} isSeries />}
        </div>
      </Panel>
    </Section>
  )
}
