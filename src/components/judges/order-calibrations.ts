import type { Calibration } from '../../server/judges/calibrations.ts'

/** Newest first; those of a judge stay together, and of these those with one prompt. */
export function orderCalibrations(calibrations: readonly Calibration[]): Calibration[] {
  const newestFirst = calibrations.toSorted((a, b) => b.savedAt - a.savedAt)
  return [...Map.groupBy(newestFirst, ({ result }) => result.judgeModelId).values()].flatMap((ofJudge) =>
    [...Map.groupBy(ofJudge, ({ result }) => result.promptVersion ?? '').values()].flat(),
  )
}
