import { z } from 'zod'
import { arenaFactsSchema, pageDetailsSchema } from './arena-page.ts'
import { runOwnerSchema } from '../processes/run-owner.ts'
import { outcomeSchema, runKindSchema } from '../runs/run.ts'
import { cellStateSchema, runStateSchema } from '../runs/states.ts'

/** What the server streams to the web app about a run in progress (`GET /api/runs/:id/events`). */

const count = z.int().min(0)

/** How far a running cell is: its request is sent, its answer streams or is complete and being scored. */
const cellStepSchema = z.enum(['sent', 'streaming', 'scoring'])

const liveCellSchema = z.object({
  /** Index into `LiveSnapshot.caseIds` and `.models`. */
  case: count,
  model: count,
  state: cellStateSchema,
  /** Only of a running cell. */
  step: cellStepSchema.optional(),
  score: z.number().optional(),
  /** The score reaches the pass mark of the case; absent otherwise. */
  hasPassed: z.boolean().optional(),
  outcome: outcomeSchema.optional(),
  /** The end of the answer so far. */
  tail: z.string().optional(),
  /** Why it is waiting, was retried, has no score or failed. */
  message: z.string().optional(),
  /** Of a page: its text from `offset` on, up to 300,000 characters. A client that lacks what is before it starts anew. */
  text: z.object({ offset: count, text: z.string() }).optional(),
  page: pageDetailsSchema.optional(),
})

/** How far a run that decides has come: evidence against a line. */
const liveDecidingSchema = z.object({
  /** Counted in their drawn order, of `caseCount`. */
  cases: count,
  caseCount: count,
  /** The evidence that decides the next pair. */
  line: z.number(),
  decided: count,
  pairCount: count,
  isSettled: z.boolean(),
  /** The pairs nearest to a decision first, then those decided last, then those left open. */
  pairs: z.array(
    z.object({
      modelA: z.string(),
      modelB: z.string(),
      winner: z.string().optional(),
      /** Known to be within the run's margin. */
      isSame: z.literal(true).optional(),
      at: count.optional(),
      /** Undecided, and no longer asked: a model has dropped out. */
      isLeftOpen: z.boolean().optional(),
      /** The number of cases and the evidence after them. */
      points: z.array(z.tuple([count, z.number()])),
    }),
  ),
  dropped: z.array(z.object({ modelId: z.string(), at: count, hasNoScore: z.literal(true).optional() })),
})

const liveProgressSchema = z.object({
  state: runStateSchema,
  done: count,
  total: count,
  scored: count,
  unscored: count,
  errors: count,
  retries: count,
  /** US dollars so far, of the whole series, without the `unknownCosts` answers whose cost is unknown. */
  cost: z.number(),
  unknownCosts: count,
  /** Recently finished cells per second. */
  rate: z.number(),
  /** Estimated milliseconds left, of the whole series; absent while unknown. */
  etaMs: z.number().optional(),
  startedAt: z.number(),
  /** The cells of all runs, of a series of several. */
  series: z.object({ done: count, total: count }).optional(),
  /** What the run, or the whole series, may spend. */
  budget: z.number().optional(),
  /** What it waits for, in a sentence: a batch of the provider. */
  waiting: z.string().optional(),
  /** Only of a run that decides. */
  deciding: liveDecidingSchema.optional(),
  /** Why it ended before its last cell, in a sentence. */
  stopped: z.string().optional(),
  /** Budget of the whole series in US dollars, if it stopped because the next request could exceed it. */
  usedUpBudget: z.number().optional(),
  /** Another live process is working on the run: this server only shows what is stored. */
  workedOnBy: runOwnerSchema.optional(),
})

/**
 * Event `snapshot`: sent first, after a reconnect, and when a series starts its next run; for pages also at the end, when
 * everything is stored.
 */
export const liveSnapshotSchema = z.object({
  runId: z.string(),
  seriesId: z.string().optional(),
  /** Position in the series, from 1. */
  runNumber: count,
  runsPlanned: count,
  kind: runKindSchema,
  suiteName: z.string(),
  models: z.array(z.string()),
  /** Of the suite's first cases: of very many, as many as keep a snapshot under 1 MB. */
  caseIds: z.array(z.string()),
  /** Those in progress; the finished ones are in the results. `outcome` is absent if it is `ok`. */
  cells: z.array(liveCellSchema),
  /** Only of a Code Arena run: then `cells` has every page. */
  arena: arenaFactsSchema.optional(),
  progress: liveProgressSchema,
})

/** Event `update`: what changed, several times a second. */
export const liveUpdateSchema = z.object({
  runId: z.string(),
  cells: z.array(liveCellSchema),
  progress: liveProgressSchema,
})

export type CellStep = z.infer<typeof cellStepSchema>
export type LiveCell = z.infer<typeof liveCellSchema>
export type LiveDeciding = z.infer<typeof liveDecidingSchema>
export type LiveProgress = z.infer<typeof liveProgressSchema>
export type LiveSnapshot = z.infer<typeof liveSnapshotSchema>
export type LiveUpdate = z.infer<typeof liveUpdateSchema>
