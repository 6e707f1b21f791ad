import { adkEvalSet, adkResults } from './formats/adk.ts'
import { anthropicMessages } from './formats/anthropic-messages.ts'
import { atif } from './formats/atif.ts'
import { bfclMultiTurn } from './formats/bfcl-multi-turn.ts'
import { claudeCode } from './formats/claude-code.ts'
import { codex } from './formats/codex.ts'
import { inspect } from './formats/inspect.ts'
import { langfuse } from './formats/langfuse.ts'
import { langsmith } from './formats/langsmith.ts'
import { openaiChat } from './formats/openai-chat.ts'
import { openaiResponses } from './formats/openai-responses.ts'
import { otlpJson, plainSpans } from './formats/otlp.ts'
import { sweAgent } from './formats/swe-agent.ts'
import { tau, tau2 } from './formats/tau.ts'
import type { TrajectoryReader } from './reader.ts'

/** The formats in the order they are tried. To add one, write its file and test and add a line here. */
export const trajectoryReaders: readonly TrajectoryReader[] = [
  atif,
  claudeCode,
  codex,
  otlpJson,
  plainSpans,
  langfuse,
  langsmith,
  adkResults,
  adkEvalSet,
  sweAgent,
  inspect,
  tau2,
  tau,
  bfclMultiTurn,
  anthropicMessages,
  openaiChat,
  openaiResponses,
]
