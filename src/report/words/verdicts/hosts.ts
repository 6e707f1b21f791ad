import type { HostGroup, HostReport, HostShare, Served, ValidOutput } from '../../model/contestants/host-report.ts'
import { describeInterval, formatCount, formatDuration, formatPercent, formatScore } from '../numbers.ts'
import { describeVerdict } from './pairs/pair-verdict.ts'

export const HOSTS_TITLE = 'Who served what'

/** ` Only a passes 4 of 50 cases, only b 9: they disagree on 13 (26.0 %, 95 % CI 14.6 to 40.3).` */
function describeFlips({ modelId, comparison }: Served, reference: string): string {
  const flips = comparison?.paired.flips
  if (!flips || flips.churn.count === 0) return ''
  const { harmful, helpful, churn } = flips
  const cases = formatCount(Math.round(churn.count / churn.rate), 'case')
  return ` Of ${cases}, ${formatCount(harmful.count)} pass only at ${reference} and ${formatCount(helpful.count)} only at ${modelId} (${formatPercent(churn.rate)} differ, 95 % CI ${describeInterval(churn.interval)}).`
}

/** `58 of 60 valid (88.5 to 99.6 %)` */
function describeValid({ count, of, interval }: ValidOutput): string {
  return `${formatCount(count)} of ${formatCount(of)} valid (${describeInterval(interval)} %)`
}

/** ` Valid output: 58 of 60 against 60 of 60. Latency: 1.2 s against 0.8 s.` */
function describeBeside(own: Served, reference: Served): string {
  const valid =
    own.valid && reference.valid
      ? ` Output that fits its schema: ${describeValid(own.valid)}, at ${reference.modelId} ${describeValid(reference.valid)}.`
      : ''
  const latency =
    // Simulated models answer at once.
    (own.medianLatencyMs ?? 0) >= 0.5 && (reference.medianLatencyMs ?? 0) >= 0.5
      ? ` Median latency: ${formatDuration(own.medianLatencyMs)}, at ${reference.modelId} ${formatDuration(reference.medianLatencyMs)}.`
      : ''
  return valid + latency
}

function describeServed(own: Served, reference: Served): string {
  const { comparison } = own
  if (!comparison) return `${own.modelId} and ${reference.modelId} have no scored case in common.`
  const { flips: _flips, ...paired } = comparison.paired
  return `${describeVerdict({ ...comparison, paired })}${describeFlips(own, reference.modelId)}${describeBeside(own, reference)}`
}

function describeGroup({ served: [reference, ...others] }: HostGroup): string[] {
  return reference ? others.map((own) => describeServed(own, reference)) : []
}

/** `m was served by a (58 cells, mean 81.0, 1.2 s) and b (2 cells, mean 50.0, 3 s).` */
function describeShares(shares: readonly HostShare[]): string[] {
  return [...Map.groupBy(shares, ({ modelId }) => modelId)].map(([modelId, own]) => {
    const hosts = own.map(({ host, cells, mean, medianLatencyMs }) => {
      const facts = [
        formatCount(cells, 'cell'),
        ...(mean === undefined ? [] : [`mean ${formatScore(mean)}`]),
        ...(medianLatencyMs === undefined ? [] : [formatDuration(medianLatencyMs)]),
      ]
      return `${host} (${facts.join(', ')})`
    })
    return `${modelId} was served by ${hosts.join(' and ')}. These are means of other cases each: run ${own.map(({ host }) => `${modelId}#${host}`).join(' and ')} to compare them.`
  })
}

/** Only where the report has other intervals of the same pairs. */
function describeIntervals({ pairs: { here, inAll } }: HostReport): string[] {
  if (here === 0 || here >= inAll) return []
  const all = `all others for all ${formatCount(inAll)} pairs`
  return [
    here === 1
      ? `This interval holds for this pair (95 %), ${all} together.`
      : `These intervals hold for these ${formatCount(here)} pairs together (95 %), ${all}.`,
  ]
}

/** One sentence or two for each place against the reference, then who answered for models that were not pinned. */
export function describeHosts(hosts: HostReport | undefined): string[] {
  if (!hosts) return []
  return [...hosts.groups.flatMap(describeGroup), ...describeIntervals(hosts), ...describeShares(hosts.shares)]
}
