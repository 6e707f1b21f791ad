import type { Speaker } from '../agents/conversation.ts'
import type { SuiteEnvironment } from '../suites/agent-suite.ts'
import type { CancelSignal, RequestMessage, ToolDefinition } from './client.ts'

/** Tools outside of this program, for one conversation: servers in a folder of their own, or a session elsewhere. */
export interface ExternalEnvironment {
  tools: ToolDefinition[]
  userTools: ToolDefinition[]
  /** What the environment tells the agent, and has it say first. */
  policy?: string
  opening?: string
  /** By which a resume finds it again. */
  session?: string
  /** Rejects if the environment itself fails; a call that fails is a reply. */
  call(call: {
    /** The same when a process died before the reply was stored, and the call is made again. */
    id: string
    by: Speaker
    name: string
    arguments: unknown
  }): Promise<{ reply: unknown; isError: boolean }>
  readWorld(): Promise<unknown>
  /** The verdict of an environment that grades itself. */
  grade?(messages: readonly RequestMessage[], end: string): Promise<{ reward: number; breakdown?: unknown }>
  /** `isOver`: nobody will go on in it. */
  close(isOver: boolean): Promise<void>
}

export interface OpenExternal {
  /** Whether programs that a suite names may be started. */
  readonly allowsCommands: boolean
  open(
    environment: SuiteEnvironment,
    options: { task: string; world: unknown; session?: string | undefined; signal?: CancelSignal | undefined },
  ): Promise<ExternalEnvironment>
}
