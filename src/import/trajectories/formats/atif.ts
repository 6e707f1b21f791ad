import { dirname, join, resolve } from 'node:path'
import { isJsonObject, tryParseJson } from '../../../contract/index.ts'
import type { RecordedCall, Trajectory, TrajectoryStep } from '../../../scoring/tool-calls/index.ts'
import { field, idField, listField, numberField, textField } from '../../tool-results/formats/fields.ts'
import type { TrajectoryReader, TrajectorySource } from '../reader.ts'
import { createRecorder, type Recorder } from '../recorder.ts'
import { readNumber, readOfferedTools, readParts, readTime } from '../values.ts'
import { restoreCalls, restoreFacts, restoreStep } from '../atif-extra.ts'

const NAME = 'atif'

/** The Agent Trajectory Interchange Format of Harbor, versions 1.0 to 1.7. */
export const atif: TrajectoryReader = {
  name: NAME,
  looksLike: 'an ATIF trajectory (an object with schema_version "ATIF-…" and steps)',

  recognises: ([first]) =>
    /^ATIF\b/i.test(textField(first, 'schema_version') ?? '') && Array.isArray(field(first, 'steps')),

  async read(source) {
    const trajectories: Trajectory[] = []
    for (const document of source.records()) {
      const trajectory = readDocument(document, source.file)
      trajectory.subagents.push(...(await readReferenced(source, document)))
      await readHarbor(source, trajectory)
      trajectories.push(trajectory)
    }
    return trajectories
  },
}

function readDocument(document: unknown, file: string): Trajectory {
  const recorder = createRecorder({ file, format: NAME, marksErrors: false })
  const agent = field(document, 'agent')
  const agentModel = textField(agent, 'model_name')
  const { facts } = recorder
  facts.id = idField(document, 'session_id', 'trajectory_id') || null
  const tools = readOfferedTools(field(agent, 'tool_definitions'))
  if (tools) facts.tools = tools
  const continued = textField(document, 'continued_trajectory_ref')
  if (continued !== undefined) facts.continuedBy = continued

  const sums = { prompt: 0, completion: 0, cached: 0, cost: 0, any: false }
  for (const step of listField(document, 'steps') ?? []) {
    // A continuation repeats the conversation that it continues.
    if (field(step, 'is_copied_context') === true) continue
    readStep(step, { recorder, agentModel })
    const metrics = field(step, 'metrics')
    if (!isJsonObject(metrics)) continue
    sums.any = true
    sums.prompt += numberField(metrics, 'prompt_tokens') ?? 0
    sums.completion += numberField(metrics, 'completion_tokens') ?? 0
    sums.cached += numberField(metrics, 'cached_tokens') ?? 0
    sums.cost += numberField(metrics, 'cost_usd') ?? 0
  }
  const final = field(document, 'final_metrics')
  const total = (name: string, sum: number) => numberField(final, name) ?? (sums.any && sum > 0 ? sum : undefined)
  recorder.addUsage({
    inputTokens: total('total_prompt_tokens', sums.prompt),
    outputTokens: total('total_completion_tokens', sums.completion),
    cachedTokens: total('total_cached_tokens', sums.cached),
  })
  recorder.addCost(total('total_cost_usd', sums.cost))
  const trajectory = recorder.finish()
  trajectory.model ??= agentModel ?? null
  trajectory.subagents = (listField(document, 'subagent_trajectories') ?? []).map((inside) =>
    readDocument(inside, file),
  )
  return restoreFacts(trajectory, document)
}

function readStep(
  step: unknown,
  { recorder, agentModel }: { recorder: Recorder; agentModel: string | undefined },
): void {
  const source = textField(step, 'source')
  const known = source === 'user' || source === 'agent' || source === 'system'
  if (!known) recorder.noteUnknown(`a step from ${source ?? 'nobody'}`)
  const time = textField(step, 'timestamp')
  recorder.seeTime(readTime(time))
  const model = textField(step, 'model_name')
  const reasoning = textField(step, 'reasoning_content')
  const added = recorder.addStep({
    source: known ? source : 'system',
    text: readParts(field(step, 'message')),
    ...(reasoning !== undefined && { reasoning }),
    ...(model !== undefined && { model }),
    ...(time !== undefined && { time }),
    ...pickMetrics(field(step, 'metrics')),
  })
  if (source === 'user') recorder.addUserTurn()
  if (source === 'agent') recorder.addAssistantTurn(model ?? agentModel)
  const calls = source === 'agent' ? (listField(step, 'tool_calls') ?? []) : []
  const made = calls.map((call): RecordedCall =>
    recorder.addCall(added, {
      id: idField(call, 'tool_call_id'),
      name: textField(call, 'function_name') ?? '',
      input: field(call, 'arguments'),
    }),
  )
  for (const result of listField(field(step, 'observation'), 'results') ?? []) {
    const id = idField(result, 'source_call_id')
    const text = readParts(field(result, 'content'))
    if (id !== undefined) recorder.answer({ id, text })
    else if (field(result, 'content') !== undefined && field(result, 'content') !== null)
      (added.observations ??= []).push(text)
  }
  restoreCalls(made, step)
  restoreStep(added, step)
}

function pickMetrics(metrics: unknown): Pick<TrajectoryStep, 'outputTokens' | 'cost'> {
  const [tokens, cost] = [numberField(metrics, 'completion_tokens'), numberField(metrics, 'cost_usd')]
  return { ...(tokens !== undefined && { outputTokens: tokens }), ...(cost !== undefined && { cost }) }
}

/** Sub-agents in other files, named relative to this one. */
async function readReferenced(source: TrajectorySource, document: unknown): Promise<Trajectory[]> {
  const folder = dirname(source.path)
  const paths = new Set<string>()
  for (const step of listField(document, 'steps') ?? [])
    for (const result of listField(field(step, 'observation'), 'results') ?? [])
      for (const reference of listField(result, 'subagent_trajectory_ref') ?? []) {
        const path = textField(reference, 'trajectory_path')
        // Only beside this file or below it: a file must not name others of this machine.
        if (path !== undefined && resolve(folder, path).startsWith(`${resolve(folder)}/`)) paths.add(join(folder, path))
      }
  const found: Trajectory[] = []
  for (const path of paths) if (path !== source.path) found.push(...((await source.readRelated(path)) ?? []))
  return found
}

/** Harbor keeps `<job>/<task>__<trial>/agent/trajectory.json` and the verdict beside it. */
async function readHarbor(source: TrajectorySource, trajectory: Trajectory): Promise<void> {
  const parts = source.path.split(/[\\/]/)
  const at = parts.lastIndexOf('agent')
  const named = at > 0 ? /^(.+)__([^_]+)$/.exec(parts[at - 1]!) : null
  if (!named) return
  const trialFolder = parts.slice(0, at).join('/')
  trajectory.task ??= named[1]!
  const text = (await source.readText(join(trialFolder, 'verifier', 'reward.txt')))?.trim()
  const verdict = tryParseJson((await source.readText(join(trialFolder, 'verifier', 'reward.json'))) ?? '')
  const result = tryParseJson((await source.readText(join(trialFolder, 'result.json'))) ?? '')
  const rewards = field(field(result, 'verifier_result'), 'rewards') ?? verdict
  const reward = readNumber(text) ?? readNumber(field(rewards, 'reward')) ?? readNumber(verdict)
  if (reward !== undefined && reward >= 0 && reward <= 1) trajectory.reward ??= reward
  trajectory.outcome ??= textField(field(result, 'exception_info'), 'exception_type') ?? null
}
