import { readFile, rename, rm, stat, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { formatCount } from '../../report/words/index.ts'
import { formatStatistics } from '../../report/words/tool-calls/statistics-text.ts'
import { scoreFile, type FileReport } from '../../import/tool-results/score-results-file.ts'
import { readPossibleAnswerFiles, recogniseFile, type RecognisedFile } from '../../import/tool-results/index.ts'
import type { Credit, SummaryRow, ToolCallSummary } from '../../scoring/tool-calls/index.ts'
import { createPauses } from '../results/selection/pauses.ts'
import { createRecordSpool, readRows, type RecordRow } from './record-spool.ts'
import { rewordProblem, type UploadFolder } from './tool-call-files.ts'

/** POST /api/tool-calls?name=FILE&credit=calls|effects (body: the file) · GET /api/tool-calls/:id?credit= */
export interface ToolCallFile {
  id: string
  name: string
  format: string
  size: number
  addedAt: number
  credit: Credit
  summary: ToolCallSummary
  /** The statistics as `benchmaker partial-score` prints them. */
  statistics: string
  problems: string[]
  /** The histogram of binary against partial scores. */
  bins: { label: string; passed: number; failed: number; unknown: number }[]
}

/** The scores of a file with one credit; stored with the file. */
export interface ScoredFile {
  summary: ToolCallSummary
  statistics: string
  problems: string[]
  bins: ToolCallFile['bins']
}

/** Raise it when the stored files change: files in an older format are scored again. In 1, `calls` was named `seed`; in 2, effects
 * credit did not count outputs; in 3, rows did not say where their record is; in 4, long ids were rounded and more failed calls counted;
 * in 5, messages were taken for tau-bench's or another vendor's, and single successes without calls had no score. */
const STORED_FORMAT = 6

const MOST_ROWS_KEPT = 4

/** Where a bin of the summary starts, from its label: `[0.2-0.4)`, `[1.0]`. */
function startOf(label: string): number {
  return Number(/[\d.]+/.exec(label)?.[0])
}

/** Binary against partial scores: how many records in each bin passed, failed, or have an unknown reward. */
function fillBins({ distribution }: ToolCallSummary, rows: readonly SummaryRow[]): ScoredFile['bins'] {
  const bins = distribution.map(({ label }) => ({ label, passed: 0, failed: 0, unknown: 0 }))
  const starts = distribution.map(({ label }) => startOf(label))
  for (const { score, reward } of rows) {
    const bin = score === null ? undefined : bins[starts.findLastIndex((start) => score >= start)]
    if (!bin) continue
    if (reward === undefined) bin.unknown += 1
    else if (reward > 0.9) bin.passed += 1
    else bin.failed += 1
  }
  return bins
}

function listProblems({ problems, notices, summary }: FileReport): string[] {
  return [
    ...notices,
    ...problems.map(
      ({ problem, count, examples }) =>
        `${formatCount(count)} of ${formatCount(summary.records, 'record')} with ${problem} (${examples.join(', ')}${count > examples.length ? ', …' : ''})`,
    ),
  ]
}

/** Scores uploaded files, with each credit on first use, and loads the results. */
export function createScoredFiles() {
  const pending = new Map<string, Promise<ScoredFile>>()
  const rowsKept = new Map<string, Promise<RecordRow[]>>()

  const readAnswers = async ({ answers, questions }: UploadFolder) => {
    const given: string[] = []
    for (const path of [answers, questions]) if (await stat(path).catch(() => undefined)) given.push(path)
    return readPossibleAnswerFiles(given)
  }

  const score = async (folder: UploadFolder, credit: Credit, recognised?: RecognisedFile): Promise<ScoredFile> => {
    const { results, path, about } = folder
    const file = recognised ?? (await recogniseFile(results, { salvage: about.salvage }))
    const [target, unfinished] = [join(path, credit), join(path, `${credit}.new`)]
    await rm(unfinished, { recursive: true, force: true })
    await mkdir(unfinished, { mode: 0o700 })
    const spool = await createRecordSpool(pathsIn(unfinished))
    const pauses = createPauses()
    let report: FileReport
    try {
      report = await scoreFile(file, {
        credit,
        salvage: about.salvage,
        answers: await readAnswers(folder),
        inputs: [results],
        // Its possible answers may be added later.
        takesUnscored: about.format === 'bfcl',
        async onRecord(record, place) {
          await spool.add(record, place)
          if (pauses.isDue()) await pauses.take()
        },
      })
    } finally {
      await spool.close()
    }
    const scored = {
      summary: report.summary,
      statistics: formatStatistics(report.summary),
      problems: listProblems(report).map((problem) => problem.replaceAll(results, about.name)),
      bins: fillBins(report.summary, report.rows),
    }
    await writeFile(join(unfinished, 'scored.json'), JSON.stringify({ format: STORED_FORMAT, ...scored }))
    await rm(target, { recursive: true, force: true })
    await rename(unfinished, target)
    // Left over from format 1; nothing reads it any more.
    await rm(join(path, 'seed'), { recursive: true, force: true })
    return scored
  }

  /** Two requests at once share the work. */
  const share = (folder: UploadFolder, credit: Credit, work: () => Promise<ScoredFile>): Promise<ScoredFile> => {
    const key = `${folder.path} ${credit}`
    const running = pending.get(key)
    if (running) return running
    const started = work().finally(() => pending.delete(key))
    pending.set(key, started)
    return started
  }

  return {
    score,

    async load(folder: UploadFolder, credit: Credit): Promise<ScoredFile> {
      return share(folder, credit, async () => {
        const text = await readFile(join(folder.path, credit, 'scored.json'), 'utf8').catch(() => undefined)
        if (text === undefined) return score(folder, credit)
        const { format, ...scored }: ScoredFile & { format?: number } = JSON.parse(text)
        return format === STORED_FORMAT ? scored : score(folder, credit)
      })
    },

    async rows(folder: UploadFolder, credit: Credit): Promise<RecordRow[]> {
      await this.load(folder, credit)
      const key = `${folder.path} ${credit}`
      const rows = rowsKept.get(key) ?? readRows(pathsIn(join(folder.path, credit)).rows)
      rows.catch(() => rowsKept.delete(key))
      rowsKept.delete(key)
      rowsKept.set(key, rows)
      if (rowsKept.size > MOST_ROWS_KEPT) rowsKept.delete(rowsKept.keys().next().value!)
      return rows
    },

    reasonsPath: (folder: UploadFolder, credit: Credit) => pathsIn(join(folder.path, credit)).reasons,

    /** The scored copy: the file as it was uploaded, each record with its `partial_score`. */
    async writeCopy(folder: UploadFolder, credit: Credit): Promise<string> {
      await this.load(folder, credit)
      const target = join(folder.path, credit, 'partial.json')
      if (await stat(target).catch(() => undefined)) return target
      const { results, about } = folder
      const pauses = createPauses()
      const onRecord = async () => {
        if (pauses.isDue()) await pauses.take()
      }
      const file = await recogniseFile(results, { salvage: about.salvage })
      const options = {
        credit,
        salvage: about.salvage,
        answers: await readAnswers(folder),
        inputs: [results],
        takesUnscored: about.format === 'bfcl',
        target,
        onRecord,
      }
      const { output } = await scoreFile(file, options).catch((error: unknown) => {
        throw rewordProblem(error, results, about.name)
      })
      await output?.commit()
      return target
    },

    /** Discards scores that are out of date. */
    async forget(folder: UploadFolder): Promise<void> {
      for (const credit of ['calls', 'effects'] as const) {
        rowsKept.delete(`${folder.path} ${credit}`)
        await rm(join(folder.path, credit), { recursive: true, force: true })
      }
    },
  }
}

function pathsIn(folder: string) {
  return { rows: join(folder, 'records.jsonl'), reasons: join(folder, 'reasons.jsonl') }
}
