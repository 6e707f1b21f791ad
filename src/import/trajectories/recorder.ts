import { readArguments } from '../../scoring/tool-calls/index.ts'
import type { RecordedCall, Trajectory, TrajectoryStep, TrajectoryUsage } from '../../scoring/tool-calls/index.ts'

interface Reply {
  id?: string | undefined
  text: string
  isError?: boolean | undefined
  /** For formats whose replies name their tool instead of their call. */
  name?: string | undefined
}

const noUsage: TrajectoryUsage = { inputTokens: null, outputTokens: null, cachedTokens: null, reasoningTokens: null }

interface RecorderOptions {
  file: string
  format: string
  /** The format marks replies that are errors. */
  marksErrors: boolean
  countsUserTurns?: boolean
}

export type Recorder = ReturnType<typeof createRecorder>

/**
 * Collects one trajectory. A call id counts once, as does the reply to it, however often a file repeats them; a reply
 * goes to the newest unanswered call with its id, because ids are reused across turns.
 */
export function createRecorder({ file, format, marksErrors, countsUserTurns = true }: RecorderOptions) {
  const steps: TrajectoryStep[] = []
  const models = new Map<string, number>()
  const unknown = new Map<string, number>()
  const open: RecordedCall[] = []
  const totals = { ...noUsage }
  const facts: Partial<Trajectory> = {}
  let userTurns = 0
  let assistantTurns = 0
  let results = 0
  let errors = 0
  let first = Infinity
  let last = -Infinity

  return {
    steps,
    facts,
    addStep(step: Omit<TrajectoryStep, 'calls'> & { calls?: RecordedCall[] }): TrajectoryStep {
      const added: TrajectoryStep = { ...step, calls: step.calls ?? [] }
      steps.push(added)
      return added
    },
    addUserTurn: (count = 1) => void (userTurns += count),
    addAssistantTurn(model?: string): void {
      assistantTurns += 1
      if (model !== undefined) models.set(model, (models.get(model) ?? 0) + 1)
    },
    /** For formats that name models apart from answers. */
    countModel: (model: string) => void models.set(model, (models.get(model) ?? 0) + 1),
    addCall(
      step: TrajectoryStep,
      { id, name, input, requestor }: { id?: string | undefined; name: string; input: unknown; requestor?: 'user' },
    ): RecordedCall {
      const call: RecordedCall = {
        ...(id !== undefined && { id }),
        name,
        ...readArguments(input),
        ...(requestor && { requestor }),
      }
      step.calls.push(call)
      open.push(call)
      return call
    },
    answer({ id, text, isError, name }: Reply): void {
      results += 1
      if (isError) errors += 1
      const at = open.findLastIndex((call) => {
        if (id !== undefined && call.id !== undefined) return call.id === id
        return name !== undefined && call.name === name
      })
      // Replies without an id come in the order of the calls.
      const index = at < 0 && id === undefined ? 0 : at
      const [call] = index < 0 ? [] : open.splice(index, 1)
      if (!call) {
        const step = steps.at(-1)
        if (step) (step.observations ??= []).push(text)
        return
      }
      call.result = text
      if (isError) call.isError = true
    },
    /** Counts replies that the model above does not hold one by one. */
    addResults: (count: number) => void (results += count),
    noteUnknown: (kind: string) => void unknown.set(kind, (unknown.get(kind) ?? 0) + 1),
    addUsage(usage: Partial<Record<keyof TrajectoryUsage, number | undefined>>): void {
      for (const key of ['inputTokens', 'outputTokens', 'cachedTokens', 'reasoningTokens'] as const) {
        const count = usage[key]
        if (count !== undefined) totals[key] = (totals[key] ?? 0) + count
      }
    },
    addCost: (cost: number | undefined) => void (cost !== undefined && (facts.cost = (facts.cost ?? 0) + cost)),
    /** Milliseconds since 1970; the trajectory takes from the first to the last. */
    seeTime(time: number | undefined): void {
      if (time === undefined || Number.isNaN(time)) return
      first = Math.min(first, time)
      last = Math.max(last, time)
    },
    finish(): Trajectory {
      const [most] = [...models].toSorted(([, a], [, b]) => b - a)
      return {
        file,
        format,
        id: null,
        task: null,
        trial: null,
        model: most?.[0] ?? null,
        models: Object.fromEntries(models),
        userTurns: countsUserTurns ? userTurns : null,
        assistantTurns,
        steps,
        results,
        errors: marksErrors ? errors : null,
        subagents: [],
        usage: totals,
        cost: null,
        seconds: last > first ? (last - first) / 1000 : null,
        outcome: null,
        reward: null,
        unknown: Object.fromEntries(unknown),
        ...facts,
      }
    },
  }
}
