import { listPromptVersions, type JudgeStanding } from '../../contract/index.ts'
import { judgeCaveats } from '../words/verdict-card.ts'

/** What is needed of a run to know how far its judges can be trusted. A `RunResult` has it. */
export interface JudgedRun {
  judgeModel?: string
  versions?: Record<string, string>
}

/** Why the grades of a judge should be doubted. */
export interface JudgeNote {
  judgeModelId: string
  reason: 'not-calibrated' | 'other-prompt' | 'poor' | 'fair' | 'uncertain'
  text: string
  /** A calibration would help: there are samples for its prompt. */
  canCalibrate: boolean
}

/** The judges of runs, whose ids are stored in one text for each run. */
export function listJudges(runs: readonly JudgedRun[]): string[] {
  const names = runs.flatMap(({ judgeModel = '' }) => judgeModel.split(',').map((name) => name.trim()))
  return [...new Set(names.filter((name) => name !== ''))]
}

/** Samples are graded with this prompt and its presets; pages, pairs and rubrics have prompts of their own. */
const canBeCalibrated = (promptVersion: string) => promptVersion.startsWith('llm-judge/')

function noteStanding({ judgeModelId, rating, couldBe = [], samples }: JudgeStanding): JudgeNote[] {
  if (rating === 'poor' || rating === 'fair')
    return [{ judgeModelId, reason: rating, text: judgeCaveats.isWeak(judgeModelId, rating), canCalibrate: true }]
  const worse = couldBe.filter((other) => other === 'fair' || other === 'poor')
  if (worse.length === 0) return []
  const text = judgeCaveats.isUncertain(judgeModelId, { rating, couldBe: worse, samples })
  return [{ judgeModelId, reason: 'uncertain', text, canCalibrate: true }]
}

function noteJudge(judgeModelId: string, prompts: readonly string[], standings: readonly JudgeStanding[]): JudgeNote[] {
  const own = standings.filter((standing) => standing.judgeModelId === judgeModelId)
  if (own.length === 0) return []
  // Neither old runs nor old calibrations say which prompt they used.
  if (prompts.length === 0) return noteStanding(own[0]!)
  return prompts.flatMap((promptVersion) => {
    const standing = own.find((candidate) => (candidate.promptVersion ?? promptVersion) === promptVersion)
    if (standing) return noteStanding(standing)
    const calibrated = own.flatMap((candidate) => candidate.promptVersion ?? [])
    const text = judgeCaveats.hasOtherPrompt(judgeModelId, promptVersion, calibrated)
    return [{ judgeModelId, reason: 'other-prompt', text, canCalibrate: canBeCalibrated(promptVersion) }]
  })
}

/** What to doubt about the judges of runs, given the last calibrations of all judges, newest first. */
export function listJudgeNotes(runs: readonly JudgedRun[], standings: readonly JudgeStanding[]): JudgeNote[] {
  const judges = listJudges(runs)
  const calibrated = new Set(standings.map(({ judgeModelId }) => judgeModelId))
  const missing = judges.filter((judge) => !calibrated.has(judge))
  const notes = judges.flatMap((judge) => {
    const judged = runs.filter((run) => listJudges([run]).includes(judge))
    const prompts = judged.flatMap(({ versions }) => listPromptVersions(versions?.['judgePrompt']))
    return noteJudge(judge, [...new Set(prompts)], standings)
  })
  const uncalibrated = missing.map((judgeModelId): JudgeNote => ({
    judgeModelId,
    reason: 'not-calibrated',
    text: judgeCaveats.isUncalibrated([judgeModelId]),
    canCalibrate: true,
  }))
  return [...notes, ...uncalibrated]
}

/** The notes as sentences: judges that were never calibrated share one. */
export function describeJudgeNotes(notes: readonly JudgeNote[]): string[] {
  const uncalibrated = notes.filter(({ reason }) => reason === 'not-calibrated').map(({ judgeModelId }) => judgeModelId)
  const others = notes.filter(({ reason }) => reason !== 'not-calibrated').map(({ text }) => text)
  return [...others, ...(uncalibrated.length > 0 ? [judgeCaveats.isUncalibrated(uncalibrated)] : [])]
}
