import type { ToolDefinition } from '../ports/client.ts'
import type { Outcome, ToolCall } from '../runs/run.ts'
import type { PageTest } from '../suites/page-tests.ts'

export type Speaker = 'agent' | 'user'

/** A call with the id by which its reply is found; unique in its conversation. */
export type ConversationCall = Required<ToolCall>

/** One change of a JSON value, in JSON Patch (RFC 6902). */
export type JsonEdit = { op: 'add' | 'replace'; path: string; value: unknown } | { op: 'remove'; path: string }

interface EnvironmentGrade {
  /** 0 to 1. */
  reward: number
  breakdown?: unknown
}

/** Why a conversation ended. */
export type EndReason = 'agent-stop' | 'user-stop' | LimitReason

/** The limits that end a conversation. */
type LimitReason = 'turns' | 'tool-calls' | 'tool-errors' | 'seconds' | 'cost'

interface TurnUsage {
  ms: number
  promptTokens?: number
  completionTokens?: number
  /** US dollars; absent if unknown. */
  cost?: number
}

export type EventBody =
  | {
      kind: 'started'
      world: unknown
      worldHash: string
      tools: ToolDefinition[]
      userTools?: ToolDefinition[]
      /** Of the chance that tools draw. */
      seed: number
      /** The policy that an environment gives, and what it says first. */
      policy?: string
      opening?: string
      /** Of the environment, which keeps the world itself. */
      session?: string
    }
  /** Written before a request leaves, with its attempt: without a `said` for it, this is what a resume pays again. */
  | { kind: 'asked'; by: Speaker; attempt: number }
  /** In one transaction with the end of the attempt; without one, it was scripted. */
  | {
      kind: 'said'
      by: Speaker
      attempt?: number
      text: string
      reasoning?: string
      calls?: ConversationCall[]
      /** What the vendor wants back unchanged. */
      opaque?: unknown
      outcome: Outcome
      usage?: TurnUsage
    }
  /** Written before the tool runs. */
  | { kind: 'called'; by: Speaker; id: string; name: string; arguments: unknown; argumentsText?: string }
  /** Replaying `edits`, not tools, gives the world back. */
  | { kind: 'replied'; id: string; reply: unknown; isError: boolean; edits: JsonEdit[]; worldHash: string; ms: number }
  /** `grade`: the verdict of an environment that grades itself. */
  | { kind: 'ended'; reason: EndReason; grade?: EnvironmentGrade }

/** What is stored of a conversation, append-only: what happens next follows from these events alone. */
export type CellEvent = { seq: number; at: number } & EventBody

/** A conversation as scorers read it. */
export interface ScoredConversation {
  /** The world when it began, and as it is now. */
  before: unknown
  world: unknown
  /** The world after the reference; absent without one. */
  expected?: unknown
  /** The part of the end state that the case names. */
  endState?: unknown
  calls: {
    by: Speaker
    name: string
    arguments: unknown
    reply?: string
    isError: boolean
    turn: number
    changed: boolean
  }[]
  /** What the agent said, in which turn of the user. */
  said: { text: string; turn: number }[]
  /** For judges: everything, as a person would read it. */
  transcript: string
  /** What the case expects of each turn. */
  turns?: readonly {
    expectedCalls?:
      | readonly {
          name: string
          arguments: unknown
          ignoreArgs?: readonly string[] | undefined
          compareArgs?: readonly string[] | undefined
        }[]
      | undefined
    said?: readonly string[] | undefined
    pageTests?: readonly PageTest[] | undefined
  }[]
  /** The tools that change something; absent if the suite does not say. */
  changing?: readonly string[]
  end?: EndReason
  grade?: EnvironmentGrade
  /** As another benchmark scores. */
  as?: 'tau2'
}

/** Runs the code of a tool where it can reach nothing but what it is given. */
export type RunToolCode = (call: {
  code: string
  world: unknown
  args: unknown
  seed: number
  /** What the clock says inside, in milliseconds since 1970. */
  now: number
}) => Promise<ToolRun>

/** `isFaulty`: the code itself cannot be used, whatever the arguments. */
export type ToolRun = { world: unknown; reply: unknown } | { error: string; isFaulty: boolean }

/** Something wrong with a case, found by playing it, or trying its reference page, without a model. */
export interface ConversationFinding {
  kind:
    | 'reference-fails'
    | 'nothing-passes'
    | 'unknown-reply'
    | 'tools-fail'
    | 'reference-page-fails'
    | 'reference-page-unseen'
  caseId: string
  /** What it rests on. */
  details: readonly string[]
}
