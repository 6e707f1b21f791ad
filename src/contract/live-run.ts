import { z } from 'zod'
import { outcomeSchema, runStatusSchema } from './run.ts'

/** What the server streams about a run under way (`GET /api/runs/:id/events`), and what the web app reads. */

const count = z.int().min(0)

/** What is known of a cell while its run is under way. */
export const liveStateSchema = z.enum(['waiting', 'asking', 'streaming', 'scoring', 'scored', 'unscored', 'error'])

const liveCellSchema = z.object({
  /** Index into `LiveSnapshot.cases` and `.models`. */
  case: count,
  model: count,
  state: liveStateSchema,
  score: z.number().optional(),
  outcome: outcomeSchema.optional(),
  /** The last part of the answer as it arrives. */
  tail: z.string().optional(),
  /** Why it waits, was retried, has no score or ended in error. */
  message: z.string().optional(),
})

export const liveProgressSchema = z.object({
  status: runStatusSchema,
  done: count,
  total: count,
  scored: count,
  unscored: count,
  errors: count,
  retries: count,
  /** US dollars so far; `unknownCosts` answers are not in it. */
  cost: z.number(),
  unknownCosts: count,
  /** Finished cells a second, over the last while. */
  rate: z.number(),
  /** Milliseconds still to go; absent while it cannot be said. */
  etaMs: z.number().optional(),
  startedAt: z.number(),
  /** What this run may spend: in a series, what earlier runs have left of the whole. */
  budget: z.number().optional(),
  /** Why it stopped before its end: budget reached, provider refused. */
  stopped: z.string().optional(),
  /** US dollars for all runs of the series: it stopped because the next request could exceed them, and needs more to resume. */
  usedUpBudget: z.number().optional(),
})

/** Event `snapshot`: the first, and again after a reconnect and when a series moves on to its next run. */
export const liveSnapshotSchema = z.object({
  runId: z.string(),
  seriesId: z.string().optional(),
  /** Of how many, for a series. */
  runNumber: count,
  runsPlanned: count,
  suiteName: z.string(),
  models: z.array(z.string()),
  /** `weight` where it is not 1. */
  cases: z.array(z.object({ id: z.string(), title: z.string(), weight: z.number().optional() })),
  /**
   * How many of the suite's last cases are not in `cases`: a snapshot stays under 1 MB. Titles get shorter first, then
   * empty; their cells are counted in `progress` and not listed one by one.
   */
  casesLeftOut: count.optional(),
  /** Row by row: cases × models, without those still waiting. An `outcome` is there when it is not `ok`. */
  cells: z.array(liveCellSchema),
  /**
   * Instead of `cells` for the finished ones, when there are more than 3,000: one character a cell, row by row. `.` not
   * finished, `0`…`9` and `X` its score in tenths, `u` unscored, `e` error.
   */
  finished: z.string().optional(),
  progress: liveProgressSchema,
})

/** Event `update`, a few a second: only what changed. */
export const liveUpdateSchema = z.object({
  runId: z.string(),
  cells: z.array(liveCellSchema),
  progress: liveProgressSchema,
})

export type LiveState = z.infer<typeof liveStateSchema>
export type LiveCell = z.infer<typeof liveCellSchema>
export type LiveProgress = z.infer<typeof liveProgressSchema>
export type LiveSnapshot = z.infer<typeof liveSnapshotSchema>
export type LiveUpdate = z.infer<typeof liveUpdateSchema>
