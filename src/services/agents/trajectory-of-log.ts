import type { CellEvent } from '../../contract/index.ts'
import type { RecordedCall, Trajectory, TrajectoryStep } from '../../scoring/index.ts'
import { writeReply } from './next-step.ts'

const addKnown = (values: readonly (number | undefined)[]): number | null =>
  values.length === 0 || values.some((value) => value === undefined)
    ? null
    : values.reduce<number>((sum, value = 0) => sum + value, 0)

/** A conversation as the recorded runs of other programs are: one noun for what people read, grade and export. */
export function toTrajectory(
  log: readonly CellEvent[],
  { caseId, model, trial = null }: { caseId: string; model: string | null; trial?: number | null },
): Trajectory {
  const started = log.find((event) => event.kind === 'started')
  const steps: TrajectoryStep[] = []
  const calls = new Map<string, RecordedCall>()
  for (const event of log) {
    if (event.kind === 'said') {
      const made = (event.calls ?? []).map(({ id, name, arguments: given }): RecordedCall => {
        const call: RecordedCall = {
          id,
          name,
          arguments: typeof given === 'string' ? {} : given,
          requestor: event.by === 'user' ? 'user' : 'assistant',
          ...(typeof given === 'string' && { unreadableArguments: given }),
        }
        calls.set(id, call)
        return call
      })
      steps.push({
        source: event.by,
        text: event.text,
        ...(event.reasoning !== undefined && { reasoning: event.reasoning }),
        calls: made,
        ...(event.by === 'agent' && model !== null && { model }),
        time: new Date(event.at).toISOString(),
      })
    }
    const call = event.kind === 'replied' ? calls.get(event.id) : undefined
    if (event.kind === 'replied' && call) {
      call.result = writeReply(event.reply)
      call.isError = event.isError
    }
  }
  const replies = log.filter((event) => event.kind === 'replied')
  const asked = log
    .filter((event) => event.kind === 'said')
    .filter(({ by, attempt }) => by === 'agent' && attempt !== undefined)
  const seconds = log.length < 2 ? null : (log.at(-1)!.at - log[0]!.at) / 1000
  return {
    file: '',
    format: 'benchmaker',
    id: null,
    task: caseId,
    trial,
    model,
    models: model === null || asked.length === 0 ? {} : { [model]: asked.length },
    userTurns: steps.filter(({ source, calls: made }) => source === 'user' && made.length === 0).length,
    assistantTurns: asked.length,
    steps,
    results: replies.length,
    errors: replies.filter(({ isError }) => isError).length,
    subagents: [],
    usage: {
      inputTokens: addKnown(asked.map(({ usage }) => usage?.promptTokens)),
      outputTokens: addKnown(asked.map(({ usage }) => usage?.completionTokens)),
      cachedTokens: null,
      reasoningTokens: null,
    },
    cost: addKnown(asked.map(({ usage }) => usage?.cost)),
    seconds,
    outcome: log.findLast((event) => event.kind === 'ended')?.reason ?? null,
    reward: null,
    ...(started && { tools: started.tools.map(({ name, parameters }) => ({ name, parameters })) }),
    unknown: {},
  }
}
