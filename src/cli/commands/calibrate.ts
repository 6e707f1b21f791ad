import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import { calibrationSampleSchema, InputError, maxCalibrationSamples } from '../../contract/index.ts'
import { formatDifference, formatScore } from '../../report/words/index.ts'
import { drawRandom } from '../../runner/index.ts'
import { interpretCalibrationResult, type CalibrationResult, type CalibrationSample } from '../../scoring/index.ts'
import { calibrateJudge, systemClock } from '../../services/index.ts'
import { composeApp, type AppOptions } from '../compose.ts'
import { listenForCancel } from '../output/end-signals.ts'
import { EXIT_CANCELLED } from '../output/exit-codes.ts'
import { printWarnings } from '../output/print-warnings.ts'
import { printForPeople, printJson, styleFor, type Terminal } from '../output/terminal.ts'
import { cleanText, formatTable, wrapText } from '../output/text-table.ts'

/** Loads a JSON list of `{ id, prompt, response, expectedOutput?, expectedScore 0–1, tolerance? }`. */
async function loadSamples(file: string): Promise<CalibrationSample[]> {
  const text = await readFile(file, 'utf8').catch((error: Error) => {
    throw new InputError(`${file}: ${error.message}`, { cause: error })
  })
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw new InputError(`${file}: is not valid JSON: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    })
  }
  const parsed = z.array(calibrationSampleSchema).min(1).max(maxCalibrationSamples).safeParse(value)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  throw new InputError(`${file}: ${issue?.path.join('.')}: ${issue?.message}`)
}

function formatCalibration(result: CalibrationResult, terminal: Terminal): string {
  const style = styleFor(terminal)
  const rows = result.samples.map(
    ({ sampleId, expectedScore, actualScore, error, withinTolerance, reasoning, unscored }) => [
      withinTolerance ? style('green', '✓') : style('red', '✗'),
      cleanText(sampleId),
      formatScore(expectedScore),
      formatScore(actualScore),
      formatDifference(error),
      cleanText(reasoning ?? unscored?.message ?? ''),
    ],
  )
  const { rating, summary, advice } = interpretCalibrationResult(result)
  const table = formatTable(
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
  const verdict = wrapText(`${rating}: ${cleanText(summary)}`, terminal.columns, '  ')
  return `${table}\n${style('bold', rating)}${verdict.slice(rating.length)}\n${wrapText(cleanText(advice), terminal.columns, '  ')}\n`
}

/** `benchmaker calibrate JUDGE` */
export async function calibrateCommand(
  judge: string,
  options: AppOptions & { samples?: string; json?: boolean },
  terminal: Terminal,
): Promise<number> {
  const samples = options.samples === undefined ? undefined : await loadSamples(options.samples)
  const app = await composeApp({ ...options, warn: (warning) => printWarnings([warning], terminal) })
  const { signal, stop } = listenForCancel(terminal, 'Cancelling; a calibration that is not finished is not kept.')
  try {
    const { clientFor } = app
    const tools = { clock: systemClock, random: drawRandom }
    const result = await calibrateJudge(judge, { clientFor, samples, signal }, tools).catch((error: unknown) => {
      if (!signal.aborted) throw error
    })
    if (!result || signal.aborted) return EXIT_CANCELLED
    const document = { ...result, interpretation: interpretCalibrationResult(result) }
    if (options.json) printJson(document, terminal)
    printForPeople((room) => formatCalibration(result, room), options, terminal)
    return result.samples.some(({ unscored }) => unscored) ? 3 : 0
  } finally {
    await app.close()
    stop()
  }
}
