import type { ToolCallFile } from '../../server/tool-calls/scored-files.ts'
import { describeInterval, formatCount, formatScore, formatScoreTick } from '../../report/words/index.ts'
import { IntervalMark } from '../ui/charts/IntervalMark.tsx'
import { listToolFigures, toolFigures } from '../../report/tables/tool-calls.ts'
import { DataTable } from '../ui/table/DataTable.tsx'
import { Panel, Section } from '../ui/Page.tsx'

/** `[0.2-0.4)` holds the scores from 20 to the next bin's. */
function describeBin(label: string): string {
  const start = formatScoreTick(Number.parseFloat(label.slice(1)))
  return label.endsWith(']') ? start : `from ${start}`
}

/** Partial scores in bins, each bar split by reward: failures with high partial scores were close. */
export function Distribution({ bins }: { bins: ToolCallFile['bins'] }) {
  const totals = bins.map(({ passed, failed, unknown }) => passed + failed + unknown)
  const largest = Math.max(1, ...totals)
  const hasUnknown = bins.some(({ unknown }) => unknown > 0)
  const kinds = [
    { key: 'passed', label: 'succeeded', colour: 'var(--accent)' },
    { key: 'failed', label: 'failed', colour: 'color-mix(in oklab, var(--accent) 30%, var(--surface))' },
    ...(hasUnknown ? [{ key: 'unknown', label: 'no reward', colour: 'var(--line)' } as const] : []),
  ] as const
  return (
    <Section title="Reward against partial score" aside="The distribution of partial scores of successes and failures">
      <Panel className="relative flex flex-col gap-2 p-3">
        <div className="flex flex-wrap gap-4 text-xs">
          {kinds.map(({ key, label, colour }) => (
            <span key={key} className="inline-flex items-center gap-1.5">
              <span className="size-3 rounded-sm border border-line" style={{ backgroundColor: colour }} />
              {label}
            </span>
          ))}
        </div>
        <table className="w-full">
          <caption className="sr-only">Records by partial score and reward</caption>
          <thead className="text-xs text-muted">
            <tr>
              <th className="text-left font-medium whitespace-nowrap">Partial score</th>
              <th>
                <span className="sr-only">Share</span>
              </th>
              <th className="pl-3 text-right font-medium">Succeeded</th>
              <th className="pl-2 text-right font-medium">{hasUnknown ? 'Others' : 'Failed'}</th>
            </tr>
          </thead>
          <tbody>
            {bins.map((bin, index) => (
              <tr key={bin.label}>
                <th scope="row" className="w-28 py-1 pr-3 text-left font-normal whitespace-nowrap">
                  {describeBin(bin.label)}
                </th>
                <td className="py-1">
                  <div
                    aria-hidden
                    className="flex h-5 overflow-hidden rounded-sm"
                    style={{ width: `${(totals[index]! / largest) * 100}%`, minWidth: totals[index]! > 0 ? 2 : 0 }}
                  >
                    {kinds.map(
                      ({ key, colour }) =>
                        bin[key] > 0 && (
                          <div
                            key={key}
                            style={{ flexGrow: bin[key], backgroundColor: colour }}
                            className="border-r border-surface last:border-0"
                          />
                        ),
                    )}
                  </div>
                </td>
                <td className="w-20 py-1 pl-3 text-right">{bin.passed}</td>
                <td className="w-16 py-1 pl-2 text-right">{bin.failed + bin.unknown}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </Panel>
    </Section>
  )
}

type Summary = ToolCallFile['summary']

function summarize({ records, scored, tasks, binary, partial, nearMisses }: Summary): string {
  const parts = [`${formatCount(records, 'record')} of ${formatCount(tasks, 'task')}`]
  if (binary) parts.push(`${binary.successes} of ${binary.of} succeeded`)
  if (partial)
    parts.push(`the mean partial score is ${formatScore(partial.average)} (${describeInterval(partial.interval)})`)
  if (binary && nearMisses.count > 0)
    parts.push(`${formatCount(nearMisses.count, 'failure was a near miss', 'failures were near misses')}`)
  if (scored < records) parts.push(`${formatCount(records - scored, 'record was', 'records were')} not scored`)
  return `${parts.join('; ')}.`
}

export function SummaryFigures({ summary }: { summary: Summary }) {
  return (
    <Section title="Summary" aside={summarize(summary)}>
      <DataTable
        label="Figures of the file, 0 to 100"
        columns={toolFigures}
        rows={listToolFigures(summary)}
        keyOf={({ name }) => name}
        chart={{
          label: 'Interval',
          className: 'w-[40%] min-w-32',
          draw: ({ name, value, interval }) =>
            interval && (
              <IntervalMark {...interval} label={`${name}: ${value}, 95 % CI ${describeInterval(interval)}`} />
            ),
        }}
      />
    </Section>
  )
}
