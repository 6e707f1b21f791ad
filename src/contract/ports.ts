import type { CancelSignal, ModelAnswer, ModelRequest } from './client.ts'
import type { UnscoredCode } from './errors.ts'
import type { ToolCall } from './run.ts'
import type { ScoringResult } from './score.ts'

/** What a scorer looks at. */
export interface ScoringInput {
  response: string
  /** The task that was answered. */
  prompt?: string
  expectedOutput?: string
  toolCalls?: ToolCall[]
}

/** Asks a model on a scorer's behalf; retries and bookkeeping are behind it. Throws `ClientError`. */
export type AskModel = (request: ModelRequest) => Promise<ModelAnswer>

/** What a judging scorer needs beside the answer. */
export interface Judging {
  /** One judge, or a panel. */
  judgeModelIds: readonly string[]
  ask: AskModel
  /** The suite's own words for its judges. */
  systemPrompt?: string | undefined
  /** How a panel's scores become one. Default: mean. */
  combine?: 'mean' | 'median' | undefined
}

/** One piece of scoring as plain data, so that it can cross to another thread. */
export interface ScoringJob {
  scoringMethod: string
  input: ScoringInput
  /** As the scorer's schema gives them. */
  options: Record<string, unknown>
}

export interface ScoringLimits {
  deadlineMs: number
  /** What the cell is recorded as when the deadline passes. */
  timeoutCode: UnscoredCode
}

/**
 * Scores away from the caller's thread and really stops at the deadline. Handed to the scoring room, which has no
 * threads of its own.
 */
export type ScoreElsewhere = (job: ScoringJob, limits: ScoringLimits) => Promise<ScoringResult>

/** What a browser noticed of a page, beside what it looks like. */
export interface PageFindings {
  console: { level: string; text: string }[]
  /** Errors nobody caught, a page that hung or crashed. */
  errors: string[]
  /** Rules of axe-core that the page breaks; `nodes` elements break them. */
  accessibility: { id: string; impact: string; help: string; nodes: number }[]
  /** What it wanted of the network and did not get. */
  blocked: { url: string; why: string }[]
  /** Buttons pressed and fields filled. */
  interactions: { action: 'click' | 'type'; target: string; hadEffect: boolean }[]
}

export interface PagePicture {
  /** Under which it is stored with the cell: `1440.png`. */
  name: string
  width: number
  height: number
  /** Taken after buttons were pressed and fields filled. */
  isAfterInteraction: boolean
  png: Uint8Array
}

/** The page in a model's answer. */
export interface InspectedPage {
  /** In the order of the answer. */
  files: { name: string; language: string; code: string }[]
  /** Whether the code makes a page at all; `problem` then says why not. */
  runs: boolean
  problem?: string
  /** What a person should know of how the page came about. */
  notes: string[]
  pictures: PagePicture[]
  /** Absent when no browser has looked at it; `notSeen` then says why. */
  findings?: PageFindings
  notSeen?: string
}

/** Takes the code out of an answer, makes a page of it and looks at it in a browser; `isQuick` leaves the browser out. */
export type InspectPage = (
  response: string,
  options: { isQuick: boolean; signal?: CancelSignal | undefined },
) => Promise<InspectedPage>

/** What judging pages needs of the machine and of providers. */
export interface PageTools {
  inspectPage: InspectPage
  /** Undefined where the provider does not say. */
  takesImages(modelId: string): Promise<boolean | undefined>
}
