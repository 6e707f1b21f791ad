import { basename, resolve } from 'node:path'
import { InputError, messageOf, ScoringError } from '../../contract/index.ts'
import { readTrajectories, readTrajectoryKey } from '../../import/trajectories/index.ts'
import { gradedTable } from '../../report/tables/graded-trajectories.ts'
import { listTrajectoryRows, trajectoryTable } from '../../report/tables/trajectories.ts'
import { trajectoryFigureTable } from '../../report/tables/trajectory-figures.ts'
import { formatCount } from '../../report/words/index.ts'
import {
  DESCRIBES_ONLY,
  describeTrajectoryComparison,
  listMeasures,
} from '../../report/words/tool-calls/trajectory-comparison.ts'
import { describeGradeVerdict, describeGrading, describeLoss } from '../../report/words/tool-calls/trajectory-grades.ts'
import { describeExcused, nameMainCause } from '../../report/words/tool-calls/trajectory-faults.ts'
import {
  countTrajectories,
  describeGaps,
  describeUnknownParts,
  nameTrajectory,
  nameTrajectoryFormat,
  nounOfTrajectories,
  shortenModel,
  SUBAGENT_NOTE,
  TURNS_NOTE,
} from '../../report/words/tool-calls/trajectory-words.ts'
import {
  compareTrajectories,
  countTrajectory,
  gradedOf,
  gradeTrajectories,
  summariseGrades,
  type GradedTrajectory,
  type Trajectory,
  type TrajectoryCounts,
} from '../../scoring/tool-calls/index.ts'
import type { AppOptions } from '../compose.ts'
import { EXIT_BAD_INPUT } from '../output/exit-codes.ts'
import { printError, printNotice } from '../output/notice.ts'
import { printJson, type Terminal } from '../output/terminal.ts'
import { cleanText, drawTable, wrapText } from '../output/text-table.ts'
import { exportTrajectories } from './export-trajectories.ts'
import { judgeRuns } from './judge-trajectories.ts'

export interface TrajectoriesOptions extends AppOptions {
  json?: boolean
  taskFrom?: string
  model?: string
  key?: string
  credit?: string
  judge?: string
  /** A folder for the runs as ATIF. */
  atif?: string
  keepSecrets?: boolean
  output?: string
}

const amounts = new Set(['quiet', 'normal', 'full'])
const SHOWN_ROWS = 5
const SHOWN_FAILURES = 10

/** `benchmaker trajectories FILE|FOLDER…` */
export async function trajectories(paths: string[], options: TrajectoriesOptions, terminal: Terminal): Promise<number> {
  try {
    const { output = 'normal' } = options
    if (!amounts.has(output)) throw new InputError(`--output ${output}: must be quiet, normal or full`)
    const skipped: string[] = []
    const read = await readTrajectories(paths, {
      taskFrom: options.taskFrom,
      model: options.model,
      onSkipped: (file) => void skipped.push(file),
    })
    if (read.length === 0) throw new InputError(`${paths.join(', ')}: holds no recorded runs of agents`)
    if (options.keepSecrets && options.atif === undefined)
      throw new InputError('--keep-secrets says how --atif writes: name its folder')
    if (options.judge !== undefined && options.credit !== undefined)
      throw new InputError('--judge grades whole runs, --credit their calls: choose one')
    const isGraded = options.key !== undefined || options.credit !== undefined
    const graded =
      options.judge === undefined
        ? isGraded
          ? await gradeAll(read, options)
          : undefined
        : await judgeRuns(read, options.judge, options, terminal)
    if (options.atif !== undefined)
      await exportTrajectories(read, { folder: options.atif, keepsSecrets: options.keepSecrets ?? false }, terminal)
    if (options.json) printJson(toJson(read, graded), terminal)
    else {
      if (skipped.length > 0) printSkipped(skipped, output === 'full', terminal)
      if (graded)
        printGrades(
          graded,
          {
            paths,
            credit: options.judge === undefined ? (options.credit ?? 'effects') : `by ${options.judge}`,
            output,
          },
          terminal,
        )
      else printList(read, { paths, output, hasTaskFrom: options.taskFrom !== undefined }, terminal)
    }
    return 0
  } catch (error) {
    if (!(error instanceof InputError || error instanceof ScoringError)) throw error
    printError(messageOf(error), terminal)
    return EXIT_BAD_INPUT
  }
}

async function gradeAll(
  read: readonly Trajectory[],
  { key, credit = 'effects' }: TrajectoriesOptions,
): Promise<GradedTrajectory[]> {
  const tasks = key === undefined ? undefined : await readTrajectoryKey(key)
  const grades = gradeTrajectories(read, tasks, { credit })
  return read.map((trajectory, index) => gradedOf(trajectory, grades[index]!))
}

function toJson(read: readonly Trajectory[], graded: readonly GradedTrajectory[] | undefined): unknown {
  const listed = read.map(countTrajectory)
  if (graded)
    return { trajectories: listed, grades: graded.map(({ grade }) => grade), summary: summariseGrades(graded) }
  return { trajectories: listed }
}

function printSkipped(skipped: readonly string[], isFull: boolean, terminal: Terminal): void {
  const names = isFull ? skipped : skipped.slice(0, 3)
  const rest = skipped.length > names.length ? ' …' : ''
  printNotice(
    cleanText(
      `note: ${formatCount(skipped.length, 'file')} without recorded runs left out: ${names.join(', ')}${rest}`,
    ),
    terminal,
  )
}

interface Printing {
  paths: readonly string[]
  output: string
}

const nameSource = (paths: readonly string[]): string =>
  paths.length === 1 ? basename(resolve(paths[0]!)) : formatCount(paths.length, 'path')

const countAgents = (list: readonly TrajectoryCounts[]): number =>
  list.reduce((sum, { subagents }) => sum + subagents.length + countAgents(subagents), 0)

function printList(
  read: readonly Trajectory[],
  { paths, output, hasTaskFrom }: Printing & { hasTaskFrom: boolean },
  terminal: Terminal,
): void {
  const listed = read.map(countTrajectory)
  const formats = [...new Set(listed.map(({ format }) => format))]
  const noun = nounOfTrajectories(formats)
  const agents = countAgents(listed)
  const write = (text: string) => terminal.stdout.write(`${wrapText(cleanText(text), terminal.columns, '')}\n`)
  write(
    [
      nameSource(paths),
      formats.map(nameTrajectoryFormat).join(', '),
      countTrajectories(listed.length, noun) + (agents > 0 ? `, ${formatCount(agents, 'sub-agent')}` : ''),
    ].join(' · '),
  )
  if (output === 'quiet') return
  const rows = listTrajectoryRows(listed)
  const shown = output === 'full' || rows.length <= SHOWN_ROWS + 1 ? rows : rows.slice(0, SHOWN_ROWS)
  const table = trajectoryTable(noun === 'session' ? 'Session' : 'Trajectory')
  terminal.stdout.write(`\n${drawTable(table, shown, { columns: terminal.columns })}`)
  if (shown.length < rows.length) write(`… ${formatCount(rows.length - shown.length)} more: --output full`)
  terminal.stdout.write('\n')
  write(agents > 0 ? `${TURNS_NOTE} ${SUBAGENT_NOTE}` : TURNS_NOTE)
  const gaps = describeGaps(listed)
  if (gaps !== undefined) write(gaps)
  const unknown = describeUnknownParts(listed)
  if (unknown !== undefined) write(unknown)
  const hasTasks = listed.some(({ task }) => task !== null)
  if (hasTasks) printComparison(read, terminal, write)
  const next = [
    ...(hasTaskFrom || hasTasks ? [] : ['--task-from PATTERN to compare models']),
    '--key KEY.yaml to grade them',
  ]
  terminal.stdout.write('\n')
  write(`Next: ${next.join(', ')}.`)
}

function printComparison(read: readonly Trajectory[], terminal: Terminal, write: (text: string) => void): void {
  const comparison = compareTrajectories(read)
  if (comparison.models.length < 2) return
  const table = trajectoryFigureTable(comparison.models)
  terminal.stdout.write(`\n${drawTable(table, listMeasures(comparison.models), { columns: terminal.columns })}\n`)
  for (const sentence of describeTrajectoryComparison(comparison)) write(sentence)
  write(DESCRIBES_ONLY)
}

function printGrades(
  graded: readonly GradedTrajectory[],
  { paths, credit, output }: Printing & { credit: string },
  terminal: Terminal,
): void {
  const summary = summariseGrades(graded)
  const write = (text: string) => terminal.stdout.write(`${wrapText(cleanText(text), terminal.columns, '')}\n`)
  write(describeGrading(nameSource(paths), summary, credit))
  const verdict = describeGradeVerdict(summary)
  if (verdict !== undefined) {
    terminal.stdout.write('\n')
    write(verdict)
  }
  terminal.stdout.write(`\n${drawTable(gradedTable(summary), summary.models, { columns: terminal.columns })}`)
  terminal.stdout.write('\n')
  write(describeExcused(summary.models))
  if (output === 'quiet') return
  const failed = graded.filter(({ grade }) => grade.passed === false)
  if (failed.length > 0) {
    const shown = output === 'full' ? failed : failed.slice(0, SHOWN_FAILURES)
    terminal.stdout.write(`\n${drawTable(failureTable, shown, { columns: terminal.columns })}`)
    if (shown.length < failed.length) write(`… ${formatCount(failed.length - shown.length)} more: --output full`)
  }
  const why = new Map<string, number>()
  for (const { grade } of graded)
    if (grade.unscored !== undefined) why.set(grade.unscored, (why.get(grade.unscored) ?? 0) + 1)
  for (const [reason, count] of why) write(`Unscored, ${formatCount(count)}: ${reason}`)
}

const failureTable = [
  {
    key: 'failed',
    label: 'Failed',
    role: 'name',
    cut: 'middle',
    text: ({ grade }: GradedTrajectory) => `${nameTrajectory(grade)} ${shortenModel(grade.model)}`,
  },
  {
    key: 'cause',
    label: 'Caused by',
    isIn: (rows: readonly GradedTrajectory[]) => rows.some(({ grade }) => grade.reasoning === undefined),
    text: ({ grade }: GradedTrajectory) => (grade.reasoning === undefined ? nameMainCause(grade) : ''),
  },
  {
    key: 'loss',
    label: 'Why, or what differs first',
    role: 'note',
    cut: 'end',
    text: ({ grade }: GradedTrajectory) =>
      (grade.endedBy === null ? '' : `ended by ${grade.endedBy}; `) +
      (grade.losses[0] ? describeLoss(grade.losses[0], grade) : (grade.reasoning ?? '')),
  },
] as const
