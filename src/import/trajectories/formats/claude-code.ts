import { basename, dirname, join } from 'node:path'
import { isJsonObject } from '../../../contract/index.ts'
import type { Trajectory, TrajectoryStep } from '../../../scoring/tool-calls/index.ts'
import { field, numberField, textField } from '../../tool-results/formats/fields.ts'
import type { TrajectoryReader, TrajectorySource } from '../reader.ts'
import { createRecorder, type Recorder } from '../recorder.ts'
import { readParts, readTime } from '../values.ts'

const NAME = 'claude-code'

/** Lines that are no part of the conversation. */
const otherLines = new Set([
  'progress',
  'system',
  'summary',
  'file-history-snapshot',
  'queue-operation',
  'permission-mode',
  'attachment',
  'custom-title',
  'ai-title',
  'agent-name',
  'last-prompt',
  'mode',
  'tag',
  'pr-link',
])

/** What the program writes in the user's name. */
const injected = /^\s*(?:<command-|<local-command-|<task-notification>|\[Request interrupted)/

/** Sessions of Claude Code: one JSON object a line. */
export const claudeCode: TrajectoryReader = {
  name: NAME,
  looksLike: 'a Claude Code session (lines with type, sessionId and uuid)',

  recognises: (sample) =>
    sample.some((line) => {
      const type = textField(line, 'type')
      if (field(line, 'sessionId') === undefined && field(line, 'parentUuid') === undefined) return false
      return (type === 'user' || type === 'assistant') && isJsonObject(field(line, 'message'))
        ? true
        : type !== undefined && otherLines.has(type)
    }) && sample.every((line) => textField(line, 'type') !== undefined),

  async read(source) {
    const main = createReading(source.file)
    const side: unknown[] = []
    const running = new Map<string, unknown[]>()
    for (const line of source.records()) {
      const type = textField(line, 'type')
      if (type === 'user' || type === 'assistant') {
        if (field(line, 'isSidechain') === true) side.push(line)
        else main.add(line)
      } else if (type === 'progress') keepProgress(line, running)
      else if (type === undefined || !otherLines.has(type)) main.recorder.noteUnknown(type ?? 'a line without type')
      main.seeSession(line)
    }
    for (let count = source.badLines(); count > 0; count -= 1) main.recorder.noteUnknown('a line that is not JSON')
    if (main.lines === 0) for (const line of side) main.add(line)
    const trajectory = main.finish()
    if (main.lines === side.length) return [trajectory]

    const inside = [...Map.groupBy(side, findThread), ...running]
    const own = await readSubagents(source, trajectory.id)
    const known = new Set(own.map(({ id }) => id))
    for (const [thread, lines] of inside) if (!known.has(thread)) own.push(readThread(source.file, thread, lines))
    trajectory.subagents = own
    return [trajectory]
  },
}

/** Sub-agents are written into `progress` lines too, while they run. */
function keepProgress(line: unknown, running: Map<string, unknown[]>): void {
  const data = field(line, 'data')
  const agent = textField(data, 'agentId')
  if (textField(data, 'type') !== 'agent_progress' || agent === undefined) return
  const message = field(data, 'message')
  const lines = running.get(agent) ?? []
  running.set(agent, lines)
  if (message !== undefined) lines.push(message)
}

/** Sub-agents of old sessions are in the same file; their first line has no parent. */
function findThread(line: unknown): string {
  return textField(line, 'agentId') ?? 'sub-agents'
}

function readThread(file: string, thread: string, lines: readonly unknown[]): Trajectory {
  const reading = createReading(file)
  for (const line of lines) reading.add(line)
  return { ...reading.finish(), id: thread }
}

/** A compaction asks a model for a summary in a file that looks like a sub-agent's. */
const isAgentFile = (name: string) => /^agent-.+\.jsonl(?:\.gz)?$/.test(name) && !isCompactionFile(name)

export function isCompactionFile(path: string): boolean {
  return basename(path).startsWith('agent-acompact-')
}

async function readSubagents(source: TrajectorySource, session: string | null): Promise<Trajectory[]> {
  const folder = dirname(source.path)
  const below = join(source.path.replace(/\.jsonl(?:\.gz)?$/, ''), 'subagents')
  const paths = [
    ...(await source.listFolder(below)).filter(isAgentFile).map((name) => join(below, name)),
    ...(await source.listFolder(folder)).filter(isAgentFile).map((name) => join(folder, name)),
  ]
  const found: Trajectory[] = []
  for (const path of paths) {
    const isBelow = dirname(path) === below
    if (path === source.path || (!isBelow && !(await isOfSession(source, path, session)))) continue
    for (const trajectory of (await source.readRelated(path)) ?? [])
      if (trajectory.format === NAME)
        found.push({ ...trajectory, id: basename(path).replace(/^agent-(.+)\.jsonl(?:\.gz)?$/, '$1') })
  }
  return found
}

async function isOfSession(source: TrajectorySource, path: string, session: string | null): Promise<boolean> {
  const text = await source.readText(path)
  const [line = ''] = (text ?? '').trimStart().split('\n', 1)
  return session !== null && line.includes(JSON.stringify(session))
}

type Usage = Record<string, unknown>

/** Reads lines of one conversation. */
function createReading(file: string) {
  const recorder = createRecorder({ file, format: NAME, marksErrors: true })
  const replies = new Map<string, { step: TrajectoryStep; usage: Usage | undefined }>()
  const calls = new Set<string>()
  const answered = new Set<string>()
  let lines = 0

  const addAssistant = (line: unknown, message: unknown): void => {
    const model = textField(message, 'model')
    const id = textField(message, 'id') ?? textField(line, 'uuid') ?? `line ${lines}`
    let reply = replies.get(id)
    if (!reply) {
      const isReal = model !== '<synthetic>'
      const time = textField(line, 'timestamp')
      reply = {
        step: recorder.addStep({
          source: 'agent',
          text: '',
          ...(isReal && model !== undefined && { model }),
          ...(time !== undefined && { time }),
        }),
        usage: undefined,
      }
      replies.set(id, reply)
      if (isReal) recorder.addAssistantTurn(model)
    }
    const { step } = reply
    const usage = field(message, 'usage')
    // A reply is written piece by piece, and each piece repeats its usage as far as it was known.
    if (
      isJsonObject(usage) &&
      (numberField(usage, 'output_tokens') ?? 0) >= (numberField(reply.usage, 'output_tokens') ?? 0)
    )
      reply.usage = usage
    const cost = numberField(line, 'costUSD')
    recorder.addCost(cost)
    if (cost !== undefined) step.cost = (step.cost ?? 0) + cost
    const content = field(message, 'content')
    for (const block of Array.isArray(content) ? content : [{ type: 'text', text: content }]) addBlock(block, step)
  }

  const addBlock = (block: unknown, step: TrajectoryStep): void => {
    const type = textField(block, 'type')
    const append = (before: string | undefined, text: string) => (before ? `${before}\n${text}` : text)
    if (type === 'text') step.text = append(step.text, textField(block, 'text') ?? '')
    else if (type === 'thinking') step.reasoning = append(step.reasoning, textField(block, 'thinking') ?? '')
    else if (type === 'tool_use') {
      const id = textField(block, 'id')
      if (id !== undefined && calls.has(id)) return
      if (id !== undefined) calls.add(id)
      recorder.addCall(step, { id, name: textField(block, 'name') ?? '', input: field(block, 'input') })
    }
  }

  const addUser = (line: unknown, message: unknown): void => {
    const content = field(message, 'content')
    const blocks = Array.isArray(content) ? content : []
    const replied = blocks.filter((block) => textField(block, 'type') === 'tool_result')
    for (const block of replied) {
      const id = textField(block, 'tool_use_id')
      if (id !== undefined && answered.has(id)) continue
      if (id !== undefined) answered.add(id)
      recorder.answer({ id, text: readParts(field(block, 'content')), isError: field(block, 'is_error') === true })
    }
    if (replied.length > 0) return
    const text = readParts(content)
    const isTurn = field(line, 'isMeta') !== true && field(line, 'isCompactSummary') !== true && !injected.test(text)
    const time = textField(line, 'timestamp')
    recorder.addStep({
      source: 'user',
      text,
      ...(!isTurn && { isInjected: true }),
      ...(time !== undefined && { time }),
    })
    if (isTurn) recorder.addUserTurn()
  }

  return {
    recorder,
    get lines() {
      return lines
    },
    seeSession(line: unknown): void {
      recorder.facts.id ??= textField(line, 'sessionId') ?? null
    },
    add(line: unknown): void {
      lines += 1
      recorder.seeTime(readTime(field(line, 'timestamp')))
      const message = field(line, 'message')
      if (textField(line, 'type') === 'assistant') addAssistant(line, message)
      else addUser(line, message)
    },
    finish(): Trajectory {
      for (const { usage, step } of replies.values()) {
        addUsage(recorder, usage)
        const tokens = numberField(usage, 'output_tokens')
        if (tokens !== undefined) step.outputTokens = tokens
      }
      return recorder.finish()
    },
  }
}

/** Anthropic counts what came from a cache, and what was written to it, apart from `input_tokens`. */
export function addUsage(recorder: Recorder, usage: unknown): void {
  if (!isJsonObject(usage)) return
  const read = numberField(usage, 'cache_read_input_tokens')
  const written = numberField(usage, 'cache_creation_input_tokens')
  const fresh = numberField(usage, 'input_tokens')
  recorder.addUsage({
    inputTokens: fresh === undefined ? undefined : fresh + (read ?? 0) + (written ?? 0),
    outputTokens: numberField(usage, 'output_tokens'),
    cachedTokens: read,
  })
}

/** True for the file of a sub-agent: its session reads it. */
export function isSubagentFile(path: string): boolean {
  return isAgentFile(basename(path))
}
