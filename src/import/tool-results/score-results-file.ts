import { InputError, ScoringError } from '../../contract/index.ts'
import { createScoredFile, createScoredFolder, type ScoredOutput } from './scored-copy.ts'
import { readPossibleAnswerFiles, readToolResults, recogniseFile, type RecognisedFile } from './index.ts'
import {
  createSummary,
  isSuccess,
  lacksCalls,
  scoreRecord,
  type Credit,
  type RecordProblem,
  type ScoredRecord,
  type SummaryRow,
  type ToolCallSummary,
} from '../../scoring/tool-calls/index.ts'

export interface FilePlan {
  files: RecognisedFile[]
  /** BFCL's possible answers, by id. */
  answers: Record<string, unknown>
}

/** Recognises each file; BFCL's questions and answers go with its results instead of being scored. */
export async function planFiles(paths: readonly string[], { salvage }: { salvage: boolean }): Promise<FilePlan> {
  const recognised: RecognisedFile[] = []
  for (const path of paths) recognised.push(await recogniseFile(path, { salvage }))
  const files = recognised.filter(({ kind }) => typeof kind !== 'string')
  const companions = recognised.filter(({ kind }) => typeof kind === 'string').map(({ path }) => path)
  const [first] = recognised
  if (files.length === 0)
    throw new InputError(
      `${first!.path} holds BFCL ${first!.kind === 'bfcl-answers' ? 'possible answers' : 'questions'} and no results; ` +
        'give the model’s result file too: partial-score RESULT.json POSSIBLE_ANSWER.json',
    )
  return { files, answers: await readPossibleAnswerFiles(companions) }
}

export interface FileReport {
  path: string
  format: string
  summary: ToolCallSummary
  rows: readonly SummaryRow[]
  /** How many records have each problem, with the first few as examples. */
  problems: ProblemCount[]
  notices: string[]
  output?: ScoredOutput
}

interface ProblemCount {
  problem: RecordProblem
  count: number
  examples: string[]
}

/** Where a record is in its file, in bytes. */
export interface RecordPlace {
  offset: number
  length: number
}

export interface ScoreFileOptions {
  credit: Credit
  salvage: boolean
  effectfulTools?: readonly string[]
  answers: Record<string, unknown>
  /** Accepts a file in which no record has expected calls, instead of refusing it. */
  takesUnscored?: boolean
  /** The path of the scored copy; if absent, none is written. */
  target?: string
  inputs: readonly string[]
  onRecord(record: ScoredRecord, place: RecordPlace): Promise<void> | void
  onBytes?(count: number): void
}

/** Scores one file record by record and writes its scored copy, which the caller commits or discards. */
export async function scoreFile(file: RecognisedFile, options: ScoreFileOptions): Promise<FileReport> {
  const { credit, salvage, effectfulTools, answers, onRecord, onBytes } = options
  const summary = createSummary(credit)
  const problems = new Map<RecordProblem, ProblemCount>()
  const notices: string[] = []
  const output = await createOutput(file, options)
  let count = 0
  let hasScore = false
  let hidesCalls: boolean | undefined
  try {
    for await (const piece of readToolResults(file, { salvage, answers })) {
      if (piece.kind === 'file') await output?.beginFile(piece.path)
      else if (piece.kind === 'between') await output?.addBytes(piece.bytes)
      else if (piece.kind === 'cut-off') {
        await output?.addBytes(Buffer.from(piece.closing))
        notices.push(`${file.path} is cut off at byte ${piece.offset}: took the ${count} whole records before it`)
      } else {
        count += 1
        onBytes?.(piece.bytes.length)
        const settings = { credit, ...(effectfulTools && { effectfulTools }) }
        if (lacksCalls(piece.record, settings)) hidesCalls ??= await hasHiddenCalls(file, options)
        const scored = scoreRecord(piece.record, { ...settings, ...(hidesCalls && { hidesCalls }) })
        hasScore ||= scored.score !== null
        for (const problem of scored.problems) countProblem({ problems, problem, record: scored })
        summary.add(scored)
        await output?.addRecord(piece.bytes, { score: scored.score, isReplaced: piece.hasPartialScore })
        await onRecord(scored, { offset: piece.offset, length: piece.bytes.length })
      }
    }
    if (hidesCalls) notices.push(describeHiddenCalls(file.path, credit))
    else if (!hasScore) {
      const why = describeUnscored(file, count, [...problems.keys()])
      if (!options.takesUnscored) throw new InputError(why)
      notices.push(why)
    }
  } catch (error) {
    await output?.discard()
    if (error instanceof ScoringError)
      throw new InputError(`${file.path}, record ${count}: ${error.message}`, { cause: error })
    throw error
  }
  return {
    path: file.path,
    format: typeof file.kind === 'string' ? file.kind : file.kind.name,
    summary: summary.finish(),
    rows: summary.rows(),
    problems: [...problems.values()],
    notices,
    ...(output && { output }),
  }
}

/** How far to look for a success with a readable call. */
const LOOKED_AT = 2000

/** Returns true if none of the file's successes that needed a call has one that can be read. */
async function hasHiddenCalls(
  file: RecognisedFile,
  { salvage, answers, effectfulTools }: ScoreFileOptions,
): Promise<boolean> {
  let count = 0
  let hidden = 0
  for await (const piece of readToolResults(file, { salvage, answers })) {
    if (piece.kind !== 'record') continue
    const { record } = piece
    count += 1
    if (isSuccess(record.reward) && record.expected && record.expected.length > 0) {
      if (lacksCalls(record, { ...(effectfulTools && { effectfulTools }) })) hidden += 1
      else if ((record.effectCalls ?? record.calls).length > 0) return false
    }
    if (count >= LOOKED_AT) break
  }
  return hidden > 0
}

function describeHiddenCalls(path: string, credit: Credit): string {
  return (
    `${path}: its successes have no calls that can be read, so ` +
    (credit === 'effects' ? 'records without calls are not scored' : 'calls credit says nothing about this agent') +
    '; looked for tool_calls, tool_use blocks, “Action:”, <tool_call> tags and fenced JSON'
  )
}

function createOutput(
  { folder }: RecognisedFile,
  { target, inputs }: ScoreFileOptions,
): Promise<ScoredOutput> | undefined {
  if (target === undefined) return undefined
  if (folder) return createScoredFolder({ target, inputs, metadata: folder.metadata })
  return createScoredFile({ target, inputs })
}

const MOST_EXAMPLES = 5

interface Problem {
  problems: Map<RecordProblem, ProblemCount>
  problem: RecordProblem
  record: ScoredRecord
}

function countProblem({ problems, problem, record }: Problem): void {
  const counted = problems.get(problem) ?? { problem, count: 0, examples: [] }
  problems.set(problem, counted)
  counted.count += 1
  if (counted.examples.length < MOST_EXAMPLES) counted.examples.push(`task ${record.taskId} trial ${record.trial}`)
}

function describeUnscored({ path, kind }: RecognisedFile, count: number, problems: readonly RecordProblem[]): string {
  if (typeof kind !== 'string' && kind.name === 'bfcl' && problems.some((problem) => problem.includes('BFCL’s own')))
    return (
      `${path}: its ${count} records are of a BFCL category that calls alone do not decide: BFCL runs multi-turn calls in ` +
      'simulated systems and compares their states, and grades memory and web search by the last answer. Score these with ' +
      'BFCL itself; the single-turn categories can be scored here'
    )
  const place =
    typeof kind === 'string' || kind.name === 'tau2-bench'
      ? 'reward_info.action_checks and the tasks’ evaluation_criteria.actions'
      : kind.name === 'bfcl'
        ? 'ground_truth; give the possible-answer file as well'
        : 'expectedCalls'
  return `${path}: none of the ${count} records says which calls were expected (looked for ${place})`
}
