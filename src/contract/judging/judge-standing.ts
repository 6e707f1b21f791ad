/** How good a judge is, best first. */
export type JudgeRating = 'excellent' | 'good' | 'fair' | 'poor'

/** What the last calibration of a judge with one prompt says about it. */
export interface JudgeStanding {
  judgeModelId: string
  rating: JudgeRating
  /** The prompt that it was calibrated with, as in `versions.judgePrompt` of a run; absent if that is not known. */
  promptVersion?: string
  /** Other ratings that are not unlikely, given how few samples there were. */
  couldBe?: readonly JudgeRating[]
  /** How many samples it graded. */
  samples?: number
}

/** The prompts that a run was judged with, which are stored as one text. */
export function listPromptVersions(stored: string | undefined): string[] {
  return (stored ?? '').split(/,\s*/).filter((version) => version !== '')
}

/** `factuality` for `llm-judge/1+factuality/1` */
export function presetOfPrompt(promptVersion: string): string | undefined {
  return /\+([^/]+)\/\d+$/.exec(promptVersion)?.[1]
}
