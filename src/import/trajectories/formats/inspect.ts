import { isJsonObject } from '../../../contract/index.ts'
import type { Trajectory } from '../../../scoring/tool-calls/index.ts'
import { resolveReferences } from '../../results/formats/inspect-log.ts'
import { field, idField, listField, numberField, textField } from '../../tool-results/formats/fields.ts'
import { addChatMessages } from '../chat-messages.ts'
import type { TrajectoryReader } from '../reader.ts'
import { createRecorder } from '../recorder.ts'
import { readNumber, readOfferedTools } from '../values.ts'

/** Logs of Inspect AI: JSON, or the `.eval` archive put together as JSON. */
export const inspect: TrajectoryReader = {
  name: 'inspect',
  looksLike: 'an Inspect AI log (eval and samples)',
  recognises: ([first]) => isJsonObject(field(first, 'eval')) && Array.isArray(field(first, 'samples')),
  read: (source) =>
    [...source.records()].flatMap((log) => {
      const model = textField(field(log, 'eval'), 'model')
      return (listField(log, 'samples') ?? []).map((sample) => readSample(sample, { model, file: source.file }))
    }),
}

function readSample(given: unknown, { model, file }: { model: string | undefined; file: string }): Trajectory {
  const recorder = createRecorder({ file, format: inspect.name, marksErrors: true })
  const attachments = field(given, 'attachments')
  const texts = new Map<string, string>()
  if (isJsonObject(attachments))
    for (const [name, text] of Object.entries(attachments)) if (typeof text === 'string') texts.set(name, text)
  const messages = texts.size === 0 ? field(given, 'messages') : resolveReferences(field(given, 'messages'), texts)
  addChatMessages(Array.isArray(messages) ? messages : [], recorder, {
    isError: (message) => isJsonObject(field(message, 'error')),
    model: model === 'none/none' ? undefined : model,
  })
  const usages = Object.values(Object(field(given, 'model_usage')))
  for (const usage of usages) {
    const fresh = readNumber(field(usage, 'input_tokens'))
    const read = readNumber(field(usage, 'input_tokens_cache_read'))
    const written = readNumber(field(usage, 'input_tokens_cache_write'))
    const total = readNumber(field(usage, 'total_tokens'))
    const output = readNumber(field(usage, 'output_tokens'))
    // Providers differ in whether the input includes what came from a cache; the total tells.
    const whole = (fresh ?? 0) + (read ?? 0) + (written ?? 0)
    const isApart = total !== undefined && total === whole + (output ?? 0)
    recorder.addUsage({
      inputTokens: fresh === undefined ? undefined : isApart ? whole : fresh,
      outputTokens: output,
      cachedTokens: read,
      reasoningTokens: readNumber(field(usage, 'reasoning_tokens')),
    })
    recorder.addCost(readNumber(field(usage, 'total_cost')))
  }
  const { facts } = recorder
  facts.task = idField(given, 'id') ?? null
  facts.trial = numberField(given, 'epoch') ?? null
  facts.id = idField(given, 'uuid') ?? null
  facts.seconds = numberField(given, 'total_time') ?? null
  const error = field(given, 'error')
  facts.outcome =
    (isJsonObject(error) ? `error: ${textField(error, 'message') ?? ''}` : undefined) ??
    textField(field(given, 'limit'), 'type') ??
    null
  facts.reward = readReward(given)
  const tools = (listField(given, 'events') ?? []).map((event) => readOfferedTools(field(event, 'tools')))
  const offered = tools.findLast((list) => list !== undefined)
  if (offered) facts.tools = offered
  return recorder.finish()
}

const letters: Readonly<Record<string, number>> = { C: 1, P: 0.5, I: 0, N: 0 }

/** The verdict, if there is exactly one score that is one. */
function readReward(sample: unknown): number | null {
  const scores = field(sample, 'scores')
  const values = [
    ...(isJsonObject(scores) ? Object.values(scores) : []),
    ...(isJsonObject(field(sample, 'score')) ? [field(sample, 'score')] : []),
  ].map((score) => field(score, 'value'))
  const [value] = values
  if (values.length !== 1) return null
  if (typeof value === 'boolean') return value ? 1 : 0
  const number = typeof value === 'string' ? letters[value] : readNumber(value)
  return number !== undefined && number >= 0 && number <= 1 ? number : null
}
