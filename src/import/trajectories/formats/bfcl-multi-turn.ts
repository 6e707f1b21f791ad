import { isJsonObject, asText } from '../../../contract/index.ts'
import type { Trajectory } from '../../../scoring/tool-calls/index.ts'
import { readCall } from '../../tool-results/formats/chat-calls.ts'
import { field, idField, listField, textField } from '../../tool-results/formats/fields.ts'
import { readPythonCalls } from '../../tool-results/formats/python-calls.ts'
import type { TrajectoryReader } from '../reader.ts'
import { createRecorder } from '../recorder.ts'
import { readNumber, readParts } from '../values.ts'

/** BFCL's multi-turn results: `result[turn][step][call]`, one record a line. */
export const bfclMultiTurn: TrajectoryReader = {
  name: 'bfcl-multi-turn',
  looksLike: 'BFCL multi-turn results (id and result[turn][step])',
  recognises: (sample) => sample.flat().some(isMultiTurn),
  read: (source) =>
    [...source.records()]
      .flat()
      .filter((record) => field(record, 'result') !== undefined)
      .map((record) => readRecord(record, source.file)),
}

function isMultiTurn(record: unknown): boolean {
  const result = listField(record, 'result')
  if (idField(record, 'id') === undefined || !result) return false
  return result.length > 0 && result.every(Array.isArray)
}

function readRecord(record: unknown, file: string): Trajectory {
  const recorder = createRecorder({ file, format: bfclMultiTurn.name, marksErrors: false })
  const turns = listField(record, 'result') ?? []
  const log = (listField(record, 'inference_log') ?? []).filter((entry) => isJsonObject(entry))
  for (const [index, turn] of turns.entries()) {
    const own = log[index]
    const asked = listField(own, 'begin_of_turn_query') ?? []
    recorder.addStep({ source: 'user', text: asked.map((message) => readParts(field(message, 'content'))).join('\n') })
    recorder.addUserTurn()
    for (const [position, given] of (Array.isArray(turn) ? turn : [turn]).entries()) {
      recorder.addAssistantTurn()
      const calls = readStep(given)
      const isText = calls.length === 0 && typeof given === 'string'
      const step = recorder.addStep({ source: 'agent', text: isText ? given : '' })
      for (const call of calls) recorder.addCall(step, { name: call.name, input: call.input })
      const replies = (listField(own, `step_${position}`) ?? []).filter((entry) => textField(entry, 'role') === 'tool')
      // Replies stand in the order of the calls.
      for (const [place, reply] of replies.entries()) {
        recorder.addResults(1)
        const answered = step.calls[place]
        if (answered) answered.result = readParts(field(reply, 'content')) || asText(field(reply, 'content'))
      }
    }
  }
  const states = (listField(record, 'inference_log') ?? [])
    .flat()
    .filter((entry) => textField(entry, 'role') === 'state_info')
  const { facts } = recorder
  facts.task = idField(record, 'id') ?? null
  if (states.length > 0) {
    const last = new Map(states.map((entry) => [textField(entry, 'class_name') ?? '', field(entry, 'content')]))
    facts.endState = Object.fromEntries(last)
  }
  recorder.addUsage({
    inputTokens: sumCounts(field(record, 'input_token_count')),
    outputTokens: sumCounts(field(record, 'output_token_count')),
  })
  facts.seconds = sumCounts(field(record, 'latency')) ?? null
  return recorder.finish()
}

interface StepCall {
  name: string
  input: unknown
}

function readStep(given: unknown): StepCall[] {
  if (typeof given === 'string') return (readPythonCalls(given) ?? []).map(toStepCall)
  return (Array.isArray(given) ? given : [given]).flatMap((call): StepCall[] => {
    if (typeof call === 'string') return (readPythonCalls(call) ?? []).map(toStepCall)
    if (!isJsonObject(call)) return []
    const entries = Object.entries(call)
    const named = entries.length > 1 ? readCall(call) : undefined
    return named ? [toStepCall(named)] : entries.map(([name, input]) => ({ name, input }))
  })
}

const toStepCall = ({ name, arguments: input }: { name: string; arguments: unknown }): StepCall => ({ name, input })

/** Counts are kept turn by turn and step by step. */
function sumCounts(counts: unknown): number | undefined {
  if (Array.isArray(counts)) {
    const known = counts.map(sumCounts).filter((count) => count !== undefined)
    return known.length === 0 ? undefined : known.reduce((total, count) => total + count, 0)
  }
  return readNumber(counts)
}
