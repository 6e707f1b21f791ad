import { describeCertaintyFigures, listCalibrationFigures } from '../../../report/words/judges/calibration.ts'
import { formatDifference, formatScore, formatStatistic, formatTime } from '../../../report/words/index.ts'
import { interpretCalibrationResult, NOT_CALIBRATED, type CalibrationResult } from '../../../scoring/index.ts'
import type { Calibration } from '../../../services/index.ts'
import { styleFor, type Terminal } from '../terminal.ts'
import { cleanText, drawTable, wrapText } from '../text-table.ts'

function drawSamples({ samples }: CalibrationResult, terminal: Terminal): string {
  const style = styleFor(terminal)
  const rows = samples.map(({ sampleId, expectedScore, actualScore, error, withinTolerance, reasoning, unscored }) => [
    withinTolerance ? style('green', '✓') : style('red', '✗'),
    cleanText(sampleId),
    formatScore(expectedScore),
    formatScore(actualScore),
    formatDifference(error),
    cleanText(reasoning ?? unscored?.message ?? ''),
  ])
  return drawTable(
    [
      { title: '' },
      { title: 'Sample', cut: 'middle', isName: true },
      { title: 'Expected', align: 'right' },
      { title: 'Actual', align: 'right' },
      { title: 'Error', align: 'right' },
      { title: 'Reasoning', cut: 'end', isObvious: true },
    ],
    rows,
    terminal,
  )
}

function drawFigures(result: CalibrationResult, terminal: Terminal): string {
  const rows = listCalibrationFigures(result).map(({ name, value, interval }) => [name, value, interval])
  return drawTable(
    [{ title: 'Figure' }, { title: 'Value', align: 'right' }, { title: '95 % interval', align: 'right' }],
    rows,
    terminal,
  )
}

/** A calibration as a person reads it: every sample, the figures with their intervals, the rating and how sure it is. */
export function drawCalibration(result: CalibrationResult, terminal: Terminal): string {
  const { rating, summary, advice, certainty } = interpretCalibrationResult(result)
  const verdict = wrapText(`${rating}: ${cleanText(summary)}`, terminal.columns, '  ')
  const figures = rating === NOT_CALIBRATED ? '' : `${drawFigures(result, terminal)}\n`
  const sentences = [certainty, describeCertaintyFigures(result), advice].filter((sentence) => sentence !== '')
  return [
    `${drawSamples(result, terminal)}\n${figures}`,
    `${styleFor(terminal)('bold', rating)}${verdict.slice(rating.length)}\n`,
    ...sentences.map((sentence) => `${wrapText(cleanText(sentence), terminal.columns, '  ')}\n`),
  ].join('')
}

/** The calibrations of a judge, newest first. */
export function drawCalibrationHistory(calibrations: readonly Calibration[], terminal: Terminal): string {
  const rows = calibrations.map(({ savedAt, source, setVersion, result, interpretation }) => [
    formatTime(savedAt) ?? '',
    cleanText(setVersion ?? source),
    cleanText(result.promptVersion ?? ''),
    `${result.summary.passedSamples}/${result.summary.totalSamples}`,
    formatDifference(result.summary.bias),
    formatScore(result.summary.meanAbsoluteError),
    formatStatistic(result.summary.correlation),
    [interpretation.rating, ...(result.certainty?.couldBe ?? [])].join(' / '),
  ])
  return drawTable(
    [
      { title: 'When' },
      { title: 'Samples', cut: 'end' },
      { title: 'Prompt' },
      { title: 'Within', align: 'right' },
      { title: 'Bias', align: 'right' },
      { title: 'Mean error', align: 'right' },
      { title: 'Correlation', align: 'right' },
      { title: 'Rating / could be' },
    ],
    rows,
    terminal,
  )
}
