import type { JudgeStanding } from '../../../contract/index.ts'
import { joinNames, joinOr, joinWords } from '../names.ts'
import { formatCount } from '../numbers.ts'

/** The caveats about judges, each a sentence. */
export const judgeCaveats = {
  isSimulated: (judges: readonly string[]) =>
    `${joinNames(judges)} ${judges.length === 1 ? 'is a simulated judge: its grades' : 'are simulated judges: their grades'} of real answers mean nothing. Rescore with a real judge.`,
  isContestant: (judge: string) => `${judge} also judges: models tend to prefer their own answers.`,
  isRelated: (judge: string, contestants: readonly string[]) =>
    `The judge ${judge} is of the same family as ${joinNames(contestants)}: models tend to prefer answers like their own.`,
  isUncalibrated: (judges: readonly string[]) =>
    judges.length === 1
      ? `The judge ${judges[0]} has not been calibrated.`
      : `The judges ${joinNames(judges)} have not been calibrated.`,
  isWeak: (judge: string, rating: string) => `The judge ${judge} was rated ${rating} in its last calibration.`,
  isUncertain: (
    judge: string,
    { rating, couldBe, samples }: { rating: string; couldBe: readonly string[]; samples?: number | undefined },
  ) =>
    `The judge ${judge} was rated ${rating} on ${samples === undefined ? 'few samples' : formatCount(samples, 'sample')}; that is too few to rule out ${joinOr(couldBe)}.`,
  hasOtherPrompt: (judge: string, used: string, calibrated: readonly string[]) =>
    `The judge ${judge} was not calibrated with the prompt that scored these answers (${used}), only with ${joinNames(calibrated)}.`,
}

/** Before a run. */
export function warnOfSimulated(judges: readonly string[]): string {
  return `${joinNames(judges)} ${judges.length === 1 ? 'is a simulated judge: its grades' : 'are simulated judges: their grades'} of real answers mean nothing. Choose a real judge.`
}

/** Beside a score. */
export function markSimulated(judges: readonly string[]): string {
  return `${joinNames(judges)} ${judges.length === 1 ? 'is' : 'are'} simulated: this score means nothing.`
}

/** A reason to doubt the grades of a judge. */
interface JudgeNote {
  judgeModelId: string
  reason: string
  text: string
  prompts?: { used: string; calibrated: readonly string[] }
}

/** One sentence for each judge, with all the prompts that it was not calibrated with. */
function describeOtherPrompts(notes: readonly JudgeNote[]): string[] {
  const byJudge = Map.groupBy(notes, ({ judgeModelId }) => judgeModelId)
  return Array.from(byJudge, ([judge, own]) => {
    const used = own.flatMap(({ prompts }) => prompts?.used ?? []).join(', ')
    return judgeCaveats.hasOtherPrompt(judge, used, own[0]?.prompts?.calibrated ?? [])
  })
}

/** The notes as sentences: judges that were never calibrated share one. */
export function describeJudgeNotes(notes: readonly JudgeNote[]): string[] {
  const withReason = (reason: JudgeNote['reason']) => notes.filter((note) => note.reason === reason)
  const missing = withReason('not-calibrated').map(({ judgeModelId }) => judgeModelId)
  const simulated = withReason('is-simulated').map(({ judgeModelId }) => judgeModelId)
  const apart = new Set(['is-simulated', 'not-calibrated', 'other-prompt'])
  const graded = notes.filter(({ reason }) => !apart.has(reason))
  return [
    ...(simulated.length > 0 ? [judgeCaveats.isSimulated(simulated)] : []),
    ...graded.map(({ text }) => text),
    ...describeOtherPrompts(withReason('other-prompt')),
    ...(missing.length > 0 ? [judgeCaveats.isUncalibrated(missing)] : []),
  ]
}

/** `demo/judge: good (llm-judge/3, 24 samples); other/judge: not calibrated` */
export function describeCalibrations(judges: readonly string[], calibrations: readonly JudgeStanding[]): string {
  return judges
    .map((judge) => {
      const own = calibrations.filter(({ judgeModelId }) => judgeModelId === judge)
      if (own.length === 0) return `${judge}: not calibrated`
      const ratings = own.map(({ rating, promptVersion, samples }) => {
        const details = [promptVersion, samples !== undefined && formatCount(samples, 'sample')]
        return `${rating} (${details.filter((detail) => typeof detail === 'string').join(', ')})`
      })
      return `${judge}: ${joinWords(ratings)}`
    })
    .join('; ')
}
