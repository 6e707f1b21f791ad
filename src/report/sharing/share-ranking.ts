import type { ArenaKind, ArenaRankingReport, ArenaStyle } from '../model/arena/arena-ranking.ts'
import { nameByLetters } from './rename-trend.ts'
import type { SharingOptions } from './sharing.ts'

/** A ranking as it may be passed on: the same letters in both tables. */
export function shareRanking(
  report: ArenaRankingReport,
  { isAnonymous, isWithoutTexts }: SharingOptions,
): ArenaRankingReport {
  const stripped: ArenaRankingReport = isWithoutTexts
    ? { ...report, runs: report.runs.map((run) => ({ ...run, prompt: '' })) }
    : report
  if (!isAnonymous) return stripped
  const { votes, judgements, kinds, style, runs } = stripped
  const judges = [...new Set(runs.flatMap((run) => run.judges))]
  const models = [
    ...new Set([...votes, ...judgements].map(({ modelId }) => modelId).concat(runs.flatMap((run) => run.models))),
  ]
  const { nameOf, rename } = nameByLetters(models, judges)
  const hide = <Row extends { modelId: string }>(rows: readonly Row[]) =>
    rows.map((row) => ({ ...row, modelId: nameOf(row.modelId) }))
  // A tag may be the name of a model.
  const tags = [...new Set([...kinds.votes, ...kinds.judgements].map(({ name }) => name))]
  const hideKinds = (given: readonly ArenaKind[]) =>
    given.map((kind) => ({ ...kind, name: `kind ${tags.indexOf(kind.name) + 1}`, models: hide(kind.models) }))
  const hideStyle = (given: ArenaStyle): ArenaStyle =>
    given.state === 'rated' ? { ...given, models: hide(given.models) } : given
  return {
    ...stripped,
    votes: hide(votes),
    judgements: hide(judgements),
    kinds: { votes: hideKinds(kinds.votes), judgements: hideKinds(kinds.judgements) },
    style: {
      ...(style.votes && { votes: hideStyle(style.votes) }),
      ...(style.judgements && { judgements: hideStyle(style.judgements) }),
    },
    runs: runs.map((run, index) => ({
      ...run,
      id: `run-${runs.length - index}`,
      prompt: rename(run.prompt),
      models: run.models.map(nameOf).toSorted(),
      judges: run.judges.map(nameOf),
    })),
  }
}
