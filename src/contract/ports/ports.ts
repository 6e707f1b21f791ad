import type { CancelSignal, ModelAnswer, ModelRequest } from './client.ts'
import { InputError, type UnscoredCode } from '../errors.ts'
import type { ScoredConversation } from '../agents/conversation.ts'
import type { ToolCall } from '../runs/run.ts'
import type { ScoringResult } from '../scores/score.ts'
import type { PageTest } from '../suites/page-tests.ts'

/** What a scorer scores. */
export interface ScoringInput {
  response: string
  /** The task that was answered. */
  prompt?: string
  expectedOutput?: string
  toolCalls?: ToolCall[]
  /** Of a case that is a conversation; `response` is then the agent's last message. */
  conversation?: ScoredConversation
  /** The variables of the test case. */
  vars?: Readonly<Record<string, string | number | boolean>>
  /** From sending the request to the last byte of the reply. */
  latencyMs?: number
  /** US dollars; absent if it is unknown. */
  cost?: number
  /** Keeps a picture with the answer, for people; absent where answers are not stored. */
  keepPicture?: ((name: string, png: Uint8Array) => Promise<void>) | undefined
}

/** Sends a scorer's request to a model, with retries and bookkeeping. Throws `ClientError`. */
export type CallModel = (request: ModelRequest) => Promise<ModelAnswer>

/** Embeddings of expected texts by model and text, or the request that is fetching them. */
export type EmbeddingMemory = Map<string, readonly number[] | Promise<unknown>>

/** What a judging scorer needs besides the answer. */
export interface Judging {
  /** One judge, or a panel. */
  judgeModelIds: readonly string[]
  callModel: CallModel
  /** The suite's instructions for its judges. */
  systemPrompt?: string | undefined
  /** How the scores of a panel are combined. Default: mean. */
  combine?: 'mean' | 'median' | undefined
  /** Shared by the cells of a run, so that an expected text is embedded once. */
  embeddings?: EmbeddingMemory | undefined
}

/** A scoring task as plain data, so that it can be sent to another thread. */
export interface ScoringJob {
  scoringMethod: string
  input: ScoringInput
  /** Parsed by the scorer's schema. */
  options: Record<string, unknown>
}

export interface ScoringLimits {
  deadlineMs: number
  /** Why the cell is unscored if the deadline passes. */
  timeoutCode: UnscoredCode
}

/**
 * Scores on another thread and stops at the deadline. Passed to the scoring room, which cannot start threads itself.
 */
export type ScoreInWorker = (job: ScoringJob, limits: ScoringLimits) => Promise<ScoringResult>

/** What a browser found on a page, besides its screenshots. */
export interface PageFindings {
  console: { level: string; text: string }[]
  /** Uncaught errors, or that the page hung or crashed. */
  errors: string[]
  /** That the page hangs by itself, whatever it showed before; absent if it does not. */
  hang?: string | undefined
  /** axe-core rules that the page breaks, with the number of elements (`nodes`) that break them. */
  accessibility: { id: string; impact: string; help: string; nodes: number }[]
  /** Requests that were blocked, because the page has no network. */
  blocked: { url: string; why: string; isCode?: boolean | undefined }[]
  /** What was tried on it. */
  interactions: PageInteraction[]
  /** How far the page scrolls sideways, by the width of the screen, in pixels; absent if it was not measured. */
  sideways?: { width: number; by: number; element: string }[] | undefined
  /** True if it still showed that it was loading when its picture was taken, 5 seconds after it was loaded. */
  isStillLoading?: boolean | undefined
  /** How much of the screen changes by itself in the first three seconds, 0 to 1; absent if nothing does. */
  movingShare?: number | undefined
  /** Why not all of the page was checked for accessibility, in words. */
  accessibilityCut?: string | undefined
}

export interface PageInteraction {
  action: 'click' | 'type' | 'key' | 'drag'
  /** What was used, as a user would say it. */
  target: string
  /** False if nothing could be seen or heard of it within half a second. */
  hadEffect: boolean
  /** What changed, in words. */
  change?: string | undefined
}

export interface PagePicture {
  /** File name of the stored screenshot: `1440.png`. */
  name: string
  width: number
  height: number
  /** Taken after buttons were pressed and fields filled. */
  isAfterInteraction: boolean
  /** True of one that shows several moments of the page's first seconds. */
  isStrip?: boolean | undefined
  png: Uint8Array
}

/** The page in a model's answer. */
export interface InspectedPage {
  /** In the order in which they appear in the answer. */
  files: { name: string; language: string; code: string }[]
  /** False if the code makes no page; `problem` then says why. */
  runs: boolean
  problem?: string
  /** What the user should know about how the page was assembled. */
  notes: string[]
  /** What it needs and is not here, as sentences: what it shows is then no evidence about it. */
  missing?: string[]
  pictures: PagePicture[]
  /** Absent if no browser has rendered it; `notSeen` then says why. */
  findings?: PageFindings
  notSeen?: string
}

/** Extracts the code from an answer, assembles a page and, unless `isQuick`, renders it in a browser. */
export type InspectPage = (
  response: string,
  /** `earlier`: the model's answers to the turns before, of which this one may change only parts. */
  options: { isQuick: boolean; earlier?: readonly string[] | undefined; signal?: CancelSignal | undefined },
) => Promise<InspectedPage>

/** Something on a page that can be used. */
export interface PageControl {
  /** By which a step names it; valid until the next step. */
  number: number
  /** `button`, `link`, `checkbox`, `text`, … */
  kind: string
  /** As a user would say it. */
  name: string
  /** What a field contains, or whether a switch is on. */
  value?: string | undefined
}

/** One thing to do on a page. */
export type PageStep =
  | { action: 'click'; control: number }
  | { action: 'type'; control: number; text: string }
  | { action: 'enter'; control: number }
  | { action: 'scroll'; direction: 'down' | 'up' }

/** A page that is open in a browser and used step by step. */
export interface DrivenPage {
  look(): Promise<{ png: Uint8Array; controls: PageControl[] }>
  /** Returns false if nothing changed, or if there is no such control. */
  use(step: PageStep): Promise<boolean>
  close(): Promise<void>
}

/** Opens the page in an answer. Rejects if it cannot be opened. */
export type OpenPage = (response: string, options: { signal?: CancelSignal | undefined }) => Promise<DrivenPage>

export interface PageTestOutcome {
  passed: boolean
  /** What was expected and what was seen instead; empty if it passed. */
  notes: string
}

/** What came of the scripted tests of a page, in their order; or why they say nothing about it. */
export type TestedPage = { outcomes: PageTestOutcome[] } | { notSeen: string }

/** A piece of text on a page: where it is, in pixels, and its colour. */
export interface PageBlock {
  text: string
  left: number
  top: number
  width: number
  height: number
  colour: readonly [red: number, green: number, blue: number]
}

/** What a page shows, all of it. */
export interface SeenPage {
  width: number
  height: number
  blocks: PageBlock[]
  png: Uint8Array
}

/** Pages in a browser, for scorers that ask no judge. */
export interface PageBench {
  /** `earlier`: the answers before, of which this one may change only parts. */
  testPage(
    response: string,
    options: { tests: readonly PageTest[]; earlier?: readonly string[] | undefined; signal?: CancelSignal | undefined },
  ): Promise<TestedPage>
  /** Opens the page in an answer and reads what it shows. `problem`: it makes no page, by its own fault. */
  seePage(
    response: string,
    options: { signal?: CancelSignal | undefined },
  ): Promise<SeenPage | { problem: string } | { notSeen: string }>
  /** Why pages cannot be opened in a browser, in words; undefined if they can. */
  findProblem(): Promise<string | undefined>
}

/** What judging a page needs from the machine and the providers. */
export interface PageTools {
  inspectPage: InspectPage
  openPage: OpenPage
  /** Undefined if the provider does not say. */
  takesImages(modelId: string): Promise<boolean | undefined>
}

/** Whether Chromium runs in its sandbox. `off` only if the user said so: model-written pages are opened in it. */
export type Sandbox = 'on' | 'off'

/** Reads the environment variable BENCHMAKER_CHROMIUM_SANDBOX; undefined if it is not set. */
export function readSandbox(value: string | undefined): Sandbox | undefined {
  if (value === undefined || value === '') return undefined
  if (value === 'on' || value === 'off') return value
  throw new InputError(`BENCHMAKER_CHROMIUM_SANDBOX is ${value}; it must be on or off.`)
}
