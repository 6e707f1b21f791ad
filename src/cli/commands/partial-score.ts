import { stat, readFile, mkdtemp, open, rm, type FileHandle } from 'node:fs/promises'
import { InputError } from '../../contract/index.ts'
import { nameOutput } from '../../import/tool-results/scored-copy.ts'
import { formatBytes, formatCount, formatPercent, formatTimeLeft } from '../../report/words/index.ts'
import { formatExplanation } from '../../report/words/tool-calls/explanation.ts'
import { formatComparisons, formatInsights, warnOfFormats } from '../../report/words/tool-calls/insights.ts'
import { formatStatistics } from '../../report/words/tool-calls/statistics-text.ts'
import { planFiles, scoreFile, type FileReport } from '../../import/tool-results/score-results-file.ts'
import {
  stringifyAny,
  compareFiles,
  creditSchema,
  rangeOf,
  type Credit,
  type ScoredRecord,
} from '../../scoring/tool-calls/index.ts'
import { toShare } from '../options/run-options.ts'
import {
  clearLine,
  clearToEnd,
  startOfLine,
  styleFor,
  type Terminal,
  printDocument,
  type TextSink,
} from '../output/terminal.ts'
import { cleanText } from '../output/text-table.ts'
import { createReadStream } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const CHUNK_SIZE = 1 << 18

/**
 * Buffers a document until it is complete, in memory while it is small and then in a temporary file: bad input must not
 * leave half-printed output.
 */
function createSpool() {
  // Bytes, not strings: megabytes of short-lived text would grow the heap far beyond what is kept.
  const chunk = Buffer.allocUnsafe(CHUNK_SIZE)
  let filled = 0
  let overflow: { folder: string; file: FileHandle; path: string } | undefined

  const openOverflow = async () => {
    const folder = await mkdtemp(join(tmpdir(), 'benchmaker-'))
    const path = join(folder, 'partial-score.json')
    return { folder, path, file: await open(path, 'wx', 0o600) }
  }
  const spill = async (bytes: Buffer): Promise<void> => {
    overflow ??= await openOverflow()
    await overflow.file.appendFile(bytes)
  }

  return {
    async write(text: string): Promise<void> {
      // A UTF-16 unit is at most three bytes of UTF-8.
      if (filled + text.length * 3 > CHUNK_SIZE) {
        await spill(chunk.subarray(0, filled))
        filled = 0
      }
      if (text.length * 3 > CHUNK_SIZE) await spill(Buffer.from(text))
      else filled += chunk.write(text, filled)
    },
    async copyTo(sink: TextSink): Promise<void> {
      if (overflow)
        for await (const part of createReadStream(overflow.path, { encoding: 'utf8' })) await send(sink, String(part))
      await send(sink, chunk.toString('utf8', 0, filled))
    },
    async remove(): Promise<void> {
      if (!overflow) return
      await overflow.file.close()
      await rm(overflow.folder, { recursive: true, force: true })
    },
  }
}

async function send(sink: TextSink, text: string): Promise<void> {
  if (printDocument(text, { stdout: sink }) !== false || !sink.once) return
  await new Promise<void>((resolve) => {
    sink.once!('drain', resolve)
  })
}

/** Reads tool names from a comma-separated list, or from a file with one name per line or a JSON list. */
async function readToolNames(namesOrFile: string): Promise<string[]> {
  const isFile = (await stat(namesOrFile).catch(() => undefined))?.isFile() ?? false
  const text = isFile ? await readFile(namesOrFile, 'utf8') : namesOrFile
  const names = text
    .replace(/[[\]"]/g, ' ')
    .split(/[,\s]+/)
    .filter((name) => name !== '')
  if (names.length === 0)
    throw new InputError(
      `--effects-tools ${namesOrFile}: no tool names found; use a,b,c or a file with one name per line`,
    )
  return names
}

export interface PartialScoreOptions {
  output?: string
  /** False with `--no-stats`. */
  stats?: boolean
  json?: boolean
  credit?: string
  explain?: string
  salvage?: boolean
  effectsTools?: string
  /** In points. */
  smallestDifference?: number
}

/** Two columns of calls are wrapped, never cut; wider ones would only be further apart. */
const MAX_EXPLANATION_COLUMNS = 160

/** `benchmaker partial-score FILE…` */
export async function partialScore(files: string[], options: PartialScoreOptions, terminal: Terminal): Promise<number> {
  const reports: FileReport[] = []
  const spool = createSpool()
  let endProgress = (): void => {}
  try {
    const settings = await checkOptions(files, options)
    const { files: planned, answers } = await planFiles(files, settings)
    if (options.output !== undefined && planned.length > 1)
      throw new InputError('-o names one file, but there are several to score; leave it out to get one copy per file')

    const explanations: string[] = []
    const wantsCopy = options.output !== undefined || !(options.json || options.explain !== undefined)
    const progress = await createReadingProgress(files, terminal)
    endProgress = progress.end
    await spool.write(`{"credit":"${settings.credit}","files":[`)
    for (const [index, file] of planned.entries()) {
      let isFirst = true
      if (options.json) await spool.write(`${index > 0 ? ',' : ''}\n{"file":${JSON.stringify(file.path)},"records":[`)
      const report = await scoreFile(file, {
        ...settings,
        answers,
        inputs: files,
        ...(wantsCopy && { target: options.output ?? nameOutput(file.path) }),
        onBytes: progress.add,
        async onRecord(record) {
          if (options.explain !== undefined && record.taskId !== options.explain) return
          if (options.json) await spool.write(`${isFirst ? '\n' : ',\n'}${stringifyAny(toJson(record))}`)
          else if (options.explain !== undefined)
            explanations.push(
              formatExplanation(record, {
                style: styleFor(terminal),
                columns: Math.min(terminal.columns, MAX_EXPLANATION_COLUMNS),
              }),
            )
          isFirst = false
        },
      })
      reports.push(report)
      if (options.explain !== undefined && isFirst) refuseTask(options.explain, report)
      if (options.json) await spool.write(`\n],${writeFields(report)}}`)
    }
    endProgress()
    const smallestDifference = toShare(options.smallestDifference)
    const compared = reports.map(({ path, rows }) => ({ name: path, rows }))
    const comparisons = reports.length > 1 ? compareFiles(compared, { smallestDifference }) : []
    const warnings = warnOfFormats(reports.map(({ path, format }) => ({ name: path, format })))
    for (const { output } of reports) await output?.commit()

    for (const report of reports) warn(report, terminal)
    for (const warning of warnings) terminal.stderr.write(`warning: ${cleanText(warning)}\n`)
    if (options.json) {
      await spool.write(
        `\n],"comparisons":${JSON.stringify(comparisons)}${warnings.length > 0 ? `,"warnings":${JSON.stringify(warnings)}` : ''}}\n`,
      )
      await spool.copyTo(terminal.stdout)
    } else if (options.explain !== undefined) terminal.stdout.write(explanations.join('\n'))
    else if (options.stats !== false) {
      for (const { path, summary } of reports) {
        if (reports.length > 1) terminal.stdout.write(`# ${cleanText(path)}\n`)
        terminal.stdout.write(`${formatStatistics(summary)}\n${formatInsights(summary)}\n`)
      }
      if (comparisons.length > 0) terminal.stdout.write(formatComparisons(comparisons))
    }
    return 0
  } catch (error) {
    endProgress()
    if (!(error instanceof InputError)) throw error
    terminal.stderr.write(`error: ${cleanText(error.message)}\n`)
    return 2
  } finally {
    // Committed outputs have nothing to discard.
    for (const { output } of reports) await output?.discard()
    await spool.remove()
  }
}

interface Settings {
  credit: Credit
  salvage: boolean
  effectfulTools?: readonly string[]
}

async function checkOptions(files: readonly string[], options: PartialScoreOptions): Promise<Settings> {
  const { credit: name = 'calls', salvage = false, effectsTools } = options
  if (files.length === 0) throw new InputError('no results file given; try: benchmaker partial-score results.json')
  const duplicate = files.find((file, index) => files.indexOf(file) !== index)
  if (duplicate !== undefined) throw new InputError(`${duplicate} is listed twice`)
  const { data: credit } = creditSchema.safeParse(name)
  if (credit === undefined) throw new InputError(`--credit ${name}: it must be calls or effects`)
  if (effectsTools !== undefined && credit === 'calls')
    throw new InputError('--effects-tools works only with --credit effects; --credit calls counts every call')
  return { credit, salvage, ...(effectsTools !== undefined && { effectfulTools: await readToolNames(effectsTools) }) }
}

function toJson(record: ScoredRecord): unknown {
  const { taskId, trial, reward, score, scores, reasons, problems, unscored } = record
  return {
    taskId,
    trial,
    ...(reward !== undefined && { reward }),
    partial_score: score,
    range: score === null ? null : rangeOf(score),
    scores,
    reasons,
    ...(unscored !== undefined && { unscored }),
    ...(problems.length > 0 && { problems }),
  }
}

function writeFields({ format, problems, notices, summary }: FileReport): string {
  return JSON.stringify({ format, problems, notices, summary }).slice(1, -1)
}

function refuseTask(task: string, { path, rows }: FileReport): never {
  const tasks = [...new Set(rows.map(({ taskId }) => taskId))]
  const shown = tasks.slice(0, 12).join(', ')
  const more = tasks.length > 12 ? ` and ${formatCount(tasks.length - 12)} more` : ''
  throw new InputError(`${path} has no task ${task}; its tasks are ${shown}${more}`)
}

function warn({ path, problems, notices, output, summary }: FileReport, { stderr }: Terminal): void {
  for (const notice of notices) stderr.write(`note: ${cleanText(notice)}\n`)
  for (const { problem, count, examples } of problems) {
    const rest = count > examples.length ? ', …' : ''
    stderr.write(
      `warning: ${cleanText(path)}: ${formatCount(count)} of ${formatCount(summary.records, 'record')} with ${cleanText(problem)} (${cleanText(examples.join(', '))}${rest})\n`,
    )
  }
  if (output)
    stderr.write(`wrote ${cleanText(output.target)}: ${formatCount(summary.records, 'record')} with partial_score\n`)
}

/** Shows progress through long files on stderr, redrawn a few times a second. */
async function createReadingProgress(files: readonly string[], { stderr, progress }: Terminal) {
  let total = 0
  if (progress) for (const file of files) total += (await stat(file).catch(() => undefined))?.size ?? 0
  const start = performance.now()
  let done = 0
  let drawn = start
  return {
    add(count: number): void {
      done += count
      const now = performance.now()
      if (!progress || now - drawn < 250) return
      drawn = now
      const rate = done / ((now - start) / 1000)
      const share = Math.min(1, Math.floor((done / total) * 100) / 100)
      stderr.write(
        `${startOfLine}${formatPercent(share, 0)} · ${formatBytes(rate)}/s · ${formatTimeLeft(((total - done) / rate) * 1000)} left${clearToEnd}`,
      )
    },
    end(): void {
      if (progress && drawn !== start) stderr.write(clearLine)
    },
  }
}
