import type { Calibration } from '../../server/judges/calibrations.ts'

/** The calibrations of one judge with one prompt, newest first. */
export interface CalibrationGroup {
  judgeModelId: string
  promptVersion: string
  calibrations: Calibration[]
}

/** By judge and prompt, in the order of the last calibration; the prompts of a judge stay together. */
export function groupCalibrations(calibrations: readonly Calibration[]): CalibrationGroup[] {
  const newestFirst = calibrations.toSorted((a, b) => b.savedAt - a.savedAt)
  const byJudge = Map.groupBy(newestFirst, ({ result }) => result.judgeModelId)
  return Array.from(byJudge, ([judgeModelId, ofJudge]) =>
    Array.from(
      Map.groupBy(ofJudge, ({ result }) => result.promptVersion ?? ''),
      ([promptVersion, grouped]) => ({ judgeModelId, promptVersion, calibrations: grouped }),
    ),
  ).flat()
}
