import { describeCertaintyFigures, listCalibrationFigures } from '../../../report/words/judges/calibration.ts'
import { calibrationFigures, calibrationTable, sampleTable } from '../../../report/tables/judges.ts'
import { interpretCalibrationResult, NOT_CALIBRATED, type CalibrationResult } from '../../../scoring/index.ts'
import type { Calibration } from '../../../services/index.ts'
import { styleFor, type Terminal } from '../terminal.ts'
import { cleanText, drawTable, wrapText } from '../text-table.ts'

function drawSamples({ samples }: CalibrationResult, terminal: Terminal): string {
  const style = styleFor(terminal)
  return drawTable(sampleTable, samples, {
    ...terminal,
    paint: (text, { key }, { withinTolerance }) =>
      key === 'within' ? style(withinTolerance ? 'green' : 'red', text) : text,
  })
}

/** A calibration as a person reads it: every sample, the figures with their intervals, the rating and how sure it is. */
export function drawCalibration(result: CalibrationResult, terminal: Terminal): string {
  const { rating, summary, advice, certainty } = interpretCalibrationResult(result)
  const verdict = wrapText(`${rating}: ${cleanText(summary)}`, terminal.columns, '  ')
  const figures =
    rating === NOT_CALIBRATED ? '' : `${drawTable(calibrationFigures, listCalibrationFigures(result), terminal)}\n`
  const sentences = [certainty, describeCertaintyFigures(result), advice].filter((sentence) => sentence !== '')
  return [
    `${drawSamples(result, terminal)}\n${figures}`,
    `${styleFor(terminal)('bold', rating)}${verdict.slice(rating.length)}\n`,
    ...sentences.map((sentence) => `${wrapText(cleanText(sentence), terminal.columns, '  ')}\n`),
  ].join('')
}

/** The calibrations of a judge, newest first. */
export function drawCalibrationHistory(calibrations: readonly Calibration[], terminal: Terminal): string {
  return drawTable(calibrationTable, calibrations, terminal)
}
