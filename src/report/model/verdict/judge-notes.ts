import { listPromptVersions, listSimulatedJudges, presetOfPrompt, type JudgeStanding } from '../../../contract/index.ts'
import { judgeCaveats } from '../../words/judges/judge-notes.ts'

/** What is needed of a run to know how far its judges can be trusted. A `RunResult` has it. */
export interface JudgedRun {
  judgeModel?: string
  /** The contestants. */
  models?: readonly string[]
  versions?: Record<string, string>
}

/** Why the grades of a judge should be doubted. */
export interface JudgeNote {
  judgeModelId: string
  reason:
    | 'is-simulated'
    | 'is-contestant'
    | 'is-related'
    | 'not-calibrated'
    | 'other-prompt'
    | 'poor'
    | 'fair'
    | 'uncertain'
  text: string
  /** A calibration would help: there are samples for its prompt. */
  canCalibrate: boolean
  /** The preset of that prompt. */
  preset?: string | undefined
  /** With `other-prompt`: the prompt that was used, and those that the judge was calibrated with. */
  prompts?: { used: string; calibrated: readonly string[] }
}

/** The judges of runs, whose ids are stored in one text for each run. */
export function listJudges(runs: readonly JudgedRun[]): string[] {
  const names = runs.flatMap(({ judgeModel = '' }) => judgeModel.split(',').map((name) => name.trim()))
  return [...new Set(names.filter((name) => name !== ''))]
}

/** The prompts that the judge got in these runs; none if the runs do not say. */
function listPrompts(runs: readonly JudgedRun[], judge: string): string[] {
  const judged = runs.filter((run) => listJudges([run]).includes(judge))
  return [...new Set(judged.flatMap(({ versions }) => listPromptVersions(versions?.['judgePrompt'])))]
}

/** Samples are graded with this prompt and its presets; pages, pairs and rubrics have prompts of their own. */
const canBeCalibrated = (promptVersion: string) => promptVersion.startsWith('llm-judge/')

function noteMissing(judgeModelId: string, prompts: readonly string[]): JudgeNote {
  return {
    judgeModelId,
    reason: 'not-calibrated',
    text: judgeCaveats.isUncalibrated([judgeModelId]),
    canCalibrate: prompts.length === 0 || prompts.some(canBeCalibrated),
    preset: prompts.map(presetOfPrompt).find((preset) => preset !== undefined),
  }
}

function noteStanding({ judgeModelId, promptVersion, rating, couldBe = [], samples }: JudgeStanding): JudgeNote[] {
  const common = {
    judgeModelId,
    canCalibrate: true,
    preset: promptVersion === undefined ? undefined : presetOfPrompt(promptVersion),
  }
  if (rating === 'poor' || rating === 'fair')
    return [{ ...common, reason: rating, text: judgeCaveats.isWeak(judgeModelId, rating) }]
  const worse = couldBe.filter((other) => other === 'fair' || other === 'poor')
  if (worse.length === 0) return []
  const text = judgeCaveats.isUncertain(judgeModelId, { rating, couldBe: worse, samples })
  return [{ ...common, reason: 'uncertain', text }]
}

/** `own` are the standings of the judge, newest first. */
function notePrompt(judgeModelId: string, promptVersion: string, own: readonly JudgeStanding[]): JudgeNote[] {
  const standing = own.find((candidate) => (candidate.promptVersion ?? promptVersion) === promptVersion)
  if (standing) return noteStanding(standing)
  const calibrated = own.flatMap((candidate) => candidate.promptVersion ?? [])
  return [
    {
      judgeModelId,
      reason: 'other-prompt',
      text: judgeCaveats.hasOtherPrompt(judgeModelId, promptVersion, calibrated),
      canCalibrate: canBeCalibrated(promptVersion),
      preset: presetOfPrompt(promptVersion),
      prompts: { used: promptVersion, calibrated },
    },
  ]
}

const withoutVariant = (modelId: string) => modelId.replace(/@.*$/s, '')

/** `claude` for `openrouter/anthropic/claude-sonnet-4.5@terse`: the letters that the name begins with. */
export function familyOf(modelId: string): string {
  const name = withoutVariant(modelId).split('/').at(-1)!.toLowerCase()
  const [letters = ''] = /^[a-z]{2,}/.exec(name) ?? []
  return letters === '' ? name : letters
}

function noteContestants(judges: readonly string[], models: readonly string[]): JudgeNote[] {
  const contestants = [...new Set(models.map(withoutVariant))]
  const own = judges.filter((judge) => contestants.includes(withoutVariant(judge)))
  const related = judges
    .filter((judge) => !own.includes(judge))
    .map((judge) => ({ judge, kin: contestants.filter((model) => familyOf(model) === familyOf(judge)) }))
    .filter(({ kin }) => kin.length > 0)
  return [
    ...own.map((judge): JudgeNote => ({
      judgeModelId: judge,
      reason: 'is-contestant',
      text: judgeCaveats.isContestant(judge),
      canCalibrate: false,
    })),
    ...related.map(({ judge, kin }): JudgeNote => ({
      judgeModelId: judge,
      reason: 'is-related',
      text: judgeCaveats.isRelated(judge, kin),
      canCalibrate: false,
    })),
  ]
}

function noteCalibrations(runs: readonly JudgedRun[], standings: readonly JudgeStanding[]): JudgeNote[] {
  const notes = listJudges(runs).flatMap((judge) => {
    const prompts = listPrompts(runs, judge)
    const own = standings.filter(({ judgeModelId }) => judgeModelId === judge)
    if (own.length === 0) return [noteMissing(judge, prompts)]
    return prompts.length === 0 ? noteStanding(own[0]!) : prompts.flatMap((prompt) => notePrompt(judge, prompt, own))
  })
  const isMissing = ({ reason }: JudgeNote) => reason === 'not-calibrated'
  return [...notes.filter((note) => !isMissing(note)), ...notes.filter(isMissing)]
}

interface Judged {
  /** The contestants. */
  models: readonly string[]
  /** The last calibrations of all judges, newest first; undefined if they were not looked up. */
  calibrations?: readonly JudgeStanding[] | undefined
}

/** What to doubt about the judges of runs. */
export function listJudgeNotes(runs: readonly JudgedRun[], { models, calibrations }: Judged): JudgeNote[] {
  const simulated = new Set(
    runs.flatMap((run) => listSimulatedJudges(listJudges([run]), run.models?.length ? run.models : models)),
  )
  const notes = [
    ...noteContestants(listJudges(runs), models),
    ...(calibrations ? noteCalibrations(runs, calibrations) : []),
  ]
  return [
    ...Array.from(simulated, (judgeModelId): JudgeNote => ({
      judgeModelId,
      reason: 'is-simulated',
      text: judgeCaveats.isSimulated([judgeModelId]),
      canCalibrate: false,
    })),
    // No calibration would make a simulated judge fit for real answers.
    ...notes.filter(({ judgeModelId, reason }) => reason === 'is-contestant' || !simulated.has(judgeModelId)),
  ]
}
