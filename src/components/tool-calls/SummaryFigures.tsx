import type { ToolCallFile } from '../../server/tool-calls/scored-files.ts'
import type { ReactNode } from 'react'
import {
  describeInterval,
  formatCount,
  formatScore,
  formatScoreTick,
  formatStatistic,
} from '../../report/words/index.ts'
import { IntervalMark } from '../ui/charts/IntervalMark.tsx'
import { Panel, Section, TablePanel } from '../ui/Page.tsx'

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

function Row({ label, value, mark, note }: { label: string; value: string; mark?: ReactNode; note?: string }) {
  return (
    <tr className="border-b border-line last:border-0">
      <th scope="row" className="px-3 py-1.5 text-left font-normal">
        {label}
      </th>
      <td className="px-3 py-1.5 text-right font-medium">{value}</td>
      <td className="w-[40%] px-4 py-1.5">{mark}</td>
      <td className="px-3 py-1.5 text-muted max-md:hidden">{note}</td>
    </tr>
  )
}

export function SummaryFigures({ summary }: { summary: Summary }) {
  const { binary, partial, toolSelection, argumentPrecision, passHatK, auc } = summary
  const markOf = (name: string, { mean, low, high }: { mean: number; low: number; high: number }) => (
    <IntervalMark
      mean={mean}
      low={low}
      high={high}
      label={`${name}: ${formatScore(mean)}, 95 % CI ${describeInterval({ low, high })}`}
    />
  )
  return (
    <Section title="Summary" aside={summarize(summary)}>
      <TablePanel label="Figures">
        <table className="w-full">
          <caption className="sr-only">Figures of the file, 0 to 100</caption>
          <tbody>
            {binary && <Row label="Success rate" value={formatScore(binary.average)} note="reward above 0.9" />}
            {partial && (
              <Row
                label="Mean partial score"
                value={formatScore(partial.average)}
                mark={markOf('Mean partial score', { mean: partial.average, ...partial.interval })}
                note={`95 % CI over ${formatCount(partial.tasks, 'task')}`}
              />
            )}
            {toolSelection && toolSelection.of > 0 && (
              <Row
                label="Tool selection"
                value={formatScore(toolSelection.right / toolSelection.of)}
                note={`${formatCount(toolSelection.right)} of ${formatCount(toolSelection.of, 'expected call was', 'expected calls were')} made`}
              />
            )}
            {argumentPrecision && (
              <Row
                label="Argument precision"
                value={formatScore(argumentPrecision.mean)}
                note={`over ${formatCount(argumentPrecision.of, 'call')} of the right tool`}
              />
            )}
            {passHatK.map(({ k, mean, low, high }) => (
              <Row
                key={k}
                label={`pass^${k}`}
                value={formatScore(mean)}
                mark={markOf(`pass^${k}`, { mean, low, high })}
                note={k === 1 ? 'a single trial succeeds' : `all ${k} trials succeed`}
              />
            ))}
            {auc && (
              <Row
                label="AUC against the reward"
                value={formatStatistic(auc[summary.credit], 3)}
                note={`0.5 is chance; effects ${formatStatistic(auc.effects, 3)}, calls made ${formatStatistic(auc.calls, 3)}`}
              />
            )}
          </tbody>
        </table>
      </TablePanel>
    </Section>
  )
}
