/** What the server answers about the Code Arena, route by route. */
import type { Outcome, ModelParameters, RunStatus, ScoringResult, Unscored } from '../../contract/index.ts'
import type { LiveProgress, LiveState } from '../api.ts'

/** GET /api/code-arena?offset=&limit=: newest first. */
export interface ArenaRunList {
  total: number
  runs: ArenaRunSummary[]
}

export interface ArenaRunSummary {
  runId: string
  seriesId?: string
  prompt: string
  models: string[]
  judgeModel?: string
  status: RunStatus
  isLive: boolean
  isInterrupted: boolean
  startedAt: number
  /** Judged scores by model, 0 to 1. */
  scores: Record<string, number>
  votes: number
}

/** GET /api/code-arena/:runId. A run is started by POST /api/code-arena (`StartedRun`), stopped and resumed like any run. */
export interface ArenaView {
  runId: string
  seriesId?: string
  /** The runs of its series, in order. */
  seriesRuns: string[]
  prompt: string
  systemPrompt: string
  parameters?: ModelParameters
  judgeModel?: string
  isQuickJudge: boolean
  status: RunStatus
  isLive: boolean
  isInterrupted: boolean
  startedAt: number
  progress?: LiveProgress
  panels: ArenaPanel[]
}

/** One model's page. */
export interface ArenaPanel {
  modelId: string
  state: LiveState
  outcome?: Outcome
  /** As far as it has come; cut at 300,000 characters. */
  response: string
  /** Why it waits, was asked again, has no score or ended in error. */
  message?: string
  score?: ScoringResult & { criteria?: ArenaCriterion[] }
  unscored?: Unscored
  latencyMs?: number
  firstTokenMs?: number
  completionTokens?: number
  cost?: number
  inspection?: ArenaInspection
}

export interface ArenaCriterion {
  /** `visualAccuracy`, `codeQuality`, `functionality` or `responsiveness`. */
  name: string
  label: string
  /** Of the total, 0 to 1. */
  weight: number
  /** 0 to 1; absent when it was not seen. */
  score?: number
  reason: string
}

/** What headless Chromium saw of the page. */
export interface ArenaInspection {
  screenshots: { name: string; width: number; height: number; url: string; isAfterInteraction: boolean }[]
  console: { level: string; text: string }[]
  errors: string[]
  accessibility: { id: string; impact: string; help: string; count: number }[]
  blocked: { url: string; why: string }[]
  interactions: string[]
  /** Why there is no picture, when there is none. */
  problem?: string
}

/**
 * Events of GET /api/code-arena/:runId/events: `view` (ArenaView, first and after a reconnect), `panel` (ArenaPanel without its
 * response, when its state changes), `text` (ArenaText, several a second), `progress` (LiveProgress), `finished`.
 */
export interface ArenaText {
  modelId: string
  /** Where `text` begins in the response: a client that missed something asks for the view again. */
  offset: number
  text: string
}

/** POST /api/code-arena/preview */
export interface PreviewView {
  /** On an origin of its own; absent when nothing can run. */
  url?: string
  files: { name: string; language: string; code: string }[]
  /** Why nothing can run, in words. */
  problem?: string
  notes: string[]
  blocked: { url: string; why: string }[]
  /** The whole page as one file that can be saved. */
  page?: string
}

/** GET /api/code-arena/pair (?runId=): two pages without names, sides shuffled. 404 when no run has two pages that work. */
export interface ArenaPair {
  pairId: string
  runId: string
  prompt: string
  left: PreviewView
  right: PreviewView
  /** Pairs of this run not voted on yet, this one included. */
  remaining: number
}

/** POST /api/code-arena/votes */
export interface VoteResult {
  left: string
  right: string
  choice: 'left' | 'right' | 'tie' | 'both-bad'
}

/** GET /api/code-arena/ranking */
export interface ArenaRanking {
  votes: RankedModel[]
  voteCount: number
  judgements: RankedModel[]
  judgementCount: number
}

export interface RankedModel {
  modelId: string
  /** Around 1000, as in chess. */
  rating: number
  low: number
  high: number
  games: number
  wins: number
  ties: number
  losses: number
}
