import { mkdir, open, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { InputError } from '../../contract/index.ts'
import { readTrajectories, readTrajectoryKey } from '../../import/trajectories/index.ts'
import {
  compareTrajectories,
  countTrajectory,
  findEmptyClaims,
  gradedOf,
  gradeTrajectories,
  listCalls,
  stringifyAny,
  summariseGrades,
  type Claim,
  type FaultCause,
  type GradeSummary,
  type Trajectory,
  type TrajectoryComparison,
  type TrajectoryCounts,
  type TrajectoryGrade,
} from '../../scoring/tool-calls/index.ts'
import { describeGaps, describeUnknownParts } from '../../report/words/tool-calls/trajectory-words.ts'
import type { SetChoices } from './trajectory-sets.ts'

export interface ReadSetJob {
  files: string
  key: string | undefined
  choices: SetChoices
  /** Where what was read goes; replaced as a whole. */
  target: string
}

/** A row of the list of recorded runs. */
export interface RunRow extends Omit<TrajectoryCounts, 'subagents'> {
  index: number
  /** How many agents it started. */
  agents: number
  /** What was asked, for a reader. */
  title: string
  score: number | null
  passed: boolean | null
  unscored: string | null
  /** The first loss of credit, and who caused it. */
  cause: FaultCause | null
  excused: boolean
}

export interface ReadSet {
  rows: RunRow[]
  comparison: TrajectoryComparison
  summary: GradeSummary | null
  /** What the files do not say, and what could not be read of them. */
  notes: string[]
  /** Files without recorded runs. */
  skipped: string[]
  /** A path by example, and fields of the first file that could name tasks or models. */
  example: { file: string; fields: { path: string; example: string }[] } | null
}

/** One recorded run with its grade, as the page of a conversation shows it. */
export interface RecordedRun {
  trajectory: Trajectory
  grade: TrajectoryGrade | null
  claims: Claim[]
}

const MOST_SKIPPED = 200

/** Reads the files of a set, grades and compares them, and writes all of it where the routes find it. */
export async function readSet({ files, key, choices, target }: ReadSetJob): Promise<ReadSet> {
  const skipped: string[] = []
  let example: ReadSet['example'] = null
  const trajectories = await readTrajectories(files, {
    root: files,
    taskFrom: choices.taskFrom,
    model: choices.model,
    onSkipped: (file) => skipped.length < MOST_SKIPPED && skipped.push(file),
    onFile: ({ file, fields }) => (example ??= { file, fields: fields() }),
  })
  if (trajectories.length === 0)
    throw new InputError(
      'None of the files holds recorded runs of agents. Readable are ATIF, Claude Code, Codex, OpenAI and Anthropic messages, OpenTelemetry, Langfuse, LangSmith, Google ADK, SWE-agent, Inspect, tau-bench and tau2-bench, and BFCL multi-turn.',
    )
  const tasks = key === undefined ? undefined : await readTrajectoryKey(key)
  const isGraded = tasks !== undefined || trajectories.some(({ expected }) => expected)
  const grades = isGraded ? gradeTrajectories(trajectories, tasks, { credit: choices.credit }) : undefined
  const tools = new Set(trajectories.flatMap((trajectory) => listCalls(trajectory).map(({ name }) => name)))
  const counts = trajectories.map(countTrajectory)
  const read: ReadSet = {
    rows: trajectories.map((trajectory, index) => toRow(trajectory, grades?.[index], index)),
    comparison: compareTrajectories(trajectories),
    summary: grades
      ? summariseGrades(trajectories.map((trajectory, index) => gradedOf(trajectory, grades[index]!)))
      : null,
    notes: [describeGaps(counts), describeUnknownParts(counts)].filter((note) => note !== undefined),
    skipped,
    example,
  }
  const unfinished = `${target}.new`
  await rm(unfinished, { recursive: true, force: true })
  await mkdir(unfinished, { recursive: true, mode: 0o700 })
  const places: [start: number, length: number][] = []
  const runs = await open(join(unfinished, 'runs.jsonl'), 'wx', 0o600)
  try {
    let written = 0
    for (const [index, trajectory] of trajectories.entries()) {
      const run: RecordedRun = {
        trajectory,
        grade: grades?.[index] ?? null,
        claims: findEmptyClaims(trajectory, tools),
      }
      const line = Buffer.from(`${stringifyAny(run)}\n`)
      await runs.appendFile(line)
      places.push([written, line.length - 1])
      written += line.length
    }
  } finally {
    await runs.close()
  }
  await writeFile(join(unfinished, 'places.json'), JSON.stringify(places), { mode: 0o600 })
  await writeFile(join(unfinished, 'list.json'), JSON.stringify(read), { mode: 0o600 })
  await rm(target, { recursive: true, force: true })
  await rename(unfinished, target)
  return read
}

const LONGEST_TITLE = 140

function toRow(trajectory: Trajectory, grade: TrajectoryGrade | undefined, index: number): RunRow {
  const asked = trajectory.steps.find(({ source, isInjected }) => source === 'user' && !isInjected)?.text ?? ''
  const whole = asked.replaceAll(/\s+/g, ' ').trim()
  const title = whole.length > LONGEST_TITLE ? `${whole.slice(0, LONGEST_TITLE)}…` : whole
  const cause = grade?.fault?.cause ?? grade?.losses[0]?.fault.cause ?? null
  const { subagents, ...counts } = countTrajectory(trajectory)
  return {
    ...counts,
    index,
    agents: subagents.length,
    title,
    score: grade?.score ?? null,
    passed: grade?.passed ?? null,
    unscored: grade?.unscored ?? null,
    cause,
    excused: grade?.excused ?? false,
  }
}
