import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import { calibrationSampleSchema, InputError, maxCalibrationSamples, messageOf } from '../../../contract/index.ts'
import { explainReadError } from '../../../import/text/source-text.ts'
import { drawRandom } from '../../../runner/index.ts'
import {
  interpretCalibrationResult,
  type CalibrationResult,
  type CalibrationSample,
  NOT_CALIBRATED,
} from '../../../scoring/index.ts'
import {
  calibrateJudge,
  chooseSampleSet,
  findSampleSet,
  listCalibrations,
  sampleSetNames,
  saveCalibration,
  systemClock,
  type SampleSet,
  type Calibration,
} from '../../../services/index.ts'
import { composeApp, createId, type App, type AppOptions } from '../../compose.ts'
import { listenForCancel } from '../../output/end-signals.ts'
import { EXIT_CANCELLED } from '../../output/exit-codes.ts'
import { printNotice, printWarnings } from '../../output/notice.ts'
import { printForPeople, printJson, type Terminal, styleFor } from '../../output/terminal.ts'
import { cleanText, drawTable, wrapText } from '../../output/text-table.ts'
import { withData } from '../results/stored-commands.ts'
import type { OUTPUT_LEVELS } from '../../options/run-options.ts'
import { formatCount } from '../../../report/words/index.ts'
import {
  describeCalibration,
  describeCertaintyFigures,
  listCalibrationFigures,
} from '../../../report/words/judges/calibration.ts'
import { calibrationFigures, calibrationTable, sampleTable } from '../../../report/tables/judges.ts'

/** Where a judge is furthest off; `--output full` and JSON have every sample. */
const WORST_SHOWN = 5

function drawSamples({ samples }: CalibrationResult, terminal: Terminal, isFull: boolean): string {
  const style = styleFor(terminal)
  const outside = samples
    .filter(({ withinTolerance }) => !withinTolerance)
    .toSorted((a, b) => Math.abs(b.error ?? 1) - Math.abs(a.error ?? 1))
  const shown = isFull ? samples : outside.slice(0, WORST_SHOWN)
  if (shown.length === 0) return ''
  const table = drawTable(sampleTable, shown, {
    ...terminal,
    paint: (text, { key }, { withinTolerance }) => (key === 'within' && !withinTolerance ? style('red', text) : text),
  })
  const more = samples.length - shown.length
  return more > 0 ? `${table}${style('dim', `… ${formatCount(more, 'more sample')}: --output full`)}\n` : table
}

/** A calibration as a person reads it: the rating, how sure it is, the figures with their intervals and the worst samples. */
function drawCalibration(
  result: CalibrationResult,
  terminal: Terminal,
  { source, isFull }: Pick<SampleSet, 'source'> & { isFull: boolean },
): string {
  const interpretation = interpretCalibrationResult(result)
  const { rating, summary, advice, certainty } = interpretation
  const paragraph = (text: string) => `${wrapText(cleanText(text), terminal.columns, '  ')}\n`
  const verdict = isFull ? summary : describeCalibration(result, interpretation)
  const sure = [certainty, isFull ? describeCertaintyFigures(result) : '']
    .filter((sentence) => sentence !== '')
    .map(paragraph)
  return [
    isFull ? '' : paragraph(`${result.judgeModelId} · ${source}`),
    styleFor(terminal)('bold', paragraph(verdict).trimEnd()) + '\n' + sure.join(''),
    rating === NOT_CALIBRATED ? '' : drawTable(calibrationFigures, listCalibrationFigures(result), terminal),
    drawSamples(result, terminal, isFull),
    advice === '' ? '' : paragraph(advice),
  ]
    .filter((section) => section !== '')
    .join('\n')
}

/** The calibrations of a judge, newest first. */
function drawCalibrationHistory(calibrations: readonly Calibration[], terminal: Terminal): string {
  return drawTable(calibrationTable, calibrations, terminal)
}

export interface CalibrateOptions extends AppOptions {
  /** The name of a built-in set, or a file. */
  samples?: string
  preset?: string
  history?: boolean
  output?: (typeof OUTPUT_LEVELS)[number]
  json?: boolean
}

/** Loads a JSON list of `{ id, prompt, response, expectedOutput?, context?, expectedScore 0–1, tolerance? 0–1 }`. */
async function loadSamples(file: string): Promise<CalibrationSample[]> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    const hint = error.code === 'ENOENT' ? `\nThe built-in samples are ${sampleSetNames.join(', ')}` : ''
    throw new InputError(`${file}: ${explainReadError(error)}${hint}`, { cause: error })
  })
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw new InputError(`${file}: is not valid JSON: ${messageOf(error)}`, {
      cause: error,
    })
  }
  const parsed = z.array(calibrationSampleSchema).min(1).max(maxCalibrationSamples).safeParse(value)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  throw new InputError(`${file}: ${issue?.path.join('.')}: ${issue?.message}`)
}

/** A built-in set by its name, else a file by its path: a folder called `code` must not hide the samples. */
async function chooseSamples({ samples, preset }: CalibrateOptions): Promise<SampleSet> {
  // Also checks the name of the preset.
  const usual = chooseSampleSet(preset)
  if (samples === undefined) return usual
  const builtIn = findSampleSet(samples)
  if (builtIn) return builtIn
  const own = await loadSamples(samples)
  return { source: `${own.length} own ${own.length === 1 ? 'sample' : 'samples'}`, samples: own }
}

async function showHistory(judge: string, options: CalibrateOptions, terminal: Terminal): Promise<number> {
  return withData(options, async (storage) => {
    const calibrations = await listCalibrations(storage, { judgeModelId: judge })
    if (options.json)
      printJson(
        calibrations.map(({ id, savedAt, source, setVersion, result, interpretation }) => ({
          id,
          savedAt,
          source,
          setVersion,
          promptVersion: result.promptVersion,
          summary: result.summary,
          intervals: result.intervals,
          certainty: result.certainty,
          interpretation,
        })),
        terminal,
      )
    const none = `${cleanText(judge)} has not been calibrated. Calibrate it with: benchmaker calibrate ${cleanText(judge)}\n`
    printForPeople(
      (room) => (calibrations.length === 0 ? none : drawCalibrationHistory(calibrations, room)),
      options,
      terminal,
    )
    return 0
  })
}

/** What was paid for is printed before it is stored, and a full disk does not make it a failure. */
async function keepCalibration(
  result: CalibrationResult,
  { set, app }: { set: SampleSet; app: App },
  terminal: Terminal,
): Promise<void> {
  try {
    await saveCalibration(result, set, { storage: await app.storage(), createId })
    printNotice(`Earlier calibrations: benchmaker calibrate ${cleanText(result.judgeModelId)} --history`, terminal)
  } catch (error) {
    printWarnings([`the calibration is not kept: ${messageOf(error)}`], terminal)
  }
}

/** `benchmaker calibrate JUDGE` */
export async function calibrateCommand(judge: string, options: CalibrateOptions, terminal: Terminal): Promise<number> {
  if (options.history) return showHistory(judge, options, terminal)
  const set = await chooseSamples(options)
  const app = await composeApp({ ...options, warn: (warning) => printWarnings([warning], terminal) })
  const { signal, stop } = listenForCancel(terminal, 'Stopping; a calibration that is not finished is not kept.')
  try {
    const { clientFor } = app
    const tools = { clock: systemClock, random: drawRandom, pacing: await app.pacing() }
    const { samples } = set
    const { preset } = options
    const result = await calibrateJudge(judge, { clientFor, samples, preset, signal }, tools).catch(
      (error: unknown) => {
        if (!signal.aborted) throw error
      },
    )
    if (!result || signal.aborted) return EXIT_CANCELLED
    const { source, setVersion } = set
    const document = { ...result, source, setVersion, interpretation: interpretCalibrationResult(result) }
    if (options.json) printJson(document, terminal)
    printForPeople(
      (room) => drawCalibration(result, room, { source, isFull: options.output === 'full' }),
      options,
      terminal,
    )
    if (result.samples.some(({ unscored }) => unscored?.code !== 'judge-failed'))
      await keepCalibration(result, { set, app }, terminal)
    return result.samples.some(({ unscored }) => unscored) ? 3 : 0
  } finally {
    await app.close()
    stop()
  }
}
