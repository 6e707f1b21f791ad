import type { ToolCallFile } from '../../server/tool-calls/scored-files.ts'
import type { ReactNode } from 'react'
import { describeInterval, formatCount, formatScore, formatStatistic } from '../../report/words/index.ts'
import { IntervalMark } from '../ui/charts/IntervalMark.tsx'
import { Section, TablePanel } from '../ui/Page.tsx'

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
