import type { JudgeStanding } from '../judging/judge-standing.ts'
import type { PageFindings, PagePicture } from '../ports/ports.ts'
import type { RunResult } from './run.ts'
import type { AnswerStyle, Unscored } from '../scores/score.ts'
import type { ArenaCriterion } from '../web/arena-page.ts'

/** Every Code Arena run is stored as a run of this suite, with a name that starts with the prefix. */
export const ARENA_SUITE_ID = 'code-arena'
export const ARENA_NAME_PREFIX = 'Code Arena: '

/** More previews side by side would be too small to compare. */
export const maxArenaModels = 6

/**
 * What a frame with a model's page may do, both in the app and in the page's own headers. Without `allow-forms` there
 * are no `submit` events; sending forms is forbidden by `form-action`. Never add `allow-same-origin`: without an origin
 * the page has no storage and no cookies.
 */
export const iframeSandbox = 'allow-scripts allow-forms allow-pointer-lock'

/** What a person chose between two pages of a run. */
export interface ArenaVote {
  left: string
  right: string
  choice: 'left' | 'right' | 'tie' | 'both-bad'
}

/** A stored run without its texts, as the ranking needs it. */
export interface ArenaRunResult extends RunResult {
  /** How long the code of each model's page is, and of how many blocks. */
  code: Record<string, AnswerStyle>
}

/** One model's page in one run. */
export interface ArenaReportPage {
  modelId: string
  /** From 1; only if there are several runs. */
  runNumber?: number
  files: { name: string; code: string }[]
  /** The whole answer, shown if it contains no code. */
  response: string
  score?: number
  criteria: Omit<ArenaCriterion, 'name'>[]
  /** Explains the score, or why there is none. */
  notes?: string
  unscored?: Unscored
  error?: string
  pictures: PagePicture[]
  findings?: PageFindings
  /** Why the code does not run, or why there are no screenshots. */
  problems: string[]
  /** What the model was not sent of its earlier turns. */
  gaps?: string[]
  cost?: number
  latencyMs?: number
}

/** The pages of a Code Arena run or series, with everything that a file about them shows. */
export interface ArenaReport {
  prompt: string
  systemPrompt: string
  judgeModel?: string
  isQuickJudge: boolean
  /** For the verdict, and what is needed to repeat it. */
  runs: RunResult[]
  calibrations?: readonly JudgeStanding[]
  /** The prompts of the earlier turns, first to last. */
  earlierPrompts?: string[]
  votes?: ArenaVote[]
  pages: ArenaReportPage[]
  /** Without the names of models and judges, and without what gives them away. */
  isAnonymous?: boolean
  isWithoutTexts?: boolean
}

/** Two models as one text, whichever is named first. */
export const pairName = (a: string, b: string): string => JSON.stringify([a, b].toSorted())
