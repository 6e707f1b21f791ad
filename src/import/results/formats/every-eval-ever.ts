import { InputError } from '../../../contract/index.ts'
import { readRecordLines } from '../../text/line-stream.ts'
import { field, idField, listField, numberField, textField } from '../../tool-results/formats/fields.ts'
import type { ForeignResults, ForeignSample, ResultsReader } from '../foreign-results.ts'
import { readFirstLine } from '../top-keys.ts'
import { readExpected, readQuestion } from './chat-text.ts'

const REQUIRED = ['schema_version', 'evaluation_name', 'sample_id', 'evaluation']

function readAnswer(row: unknown): string | undefined {
  const raw = listField(field(row, 'output'), 'raw')?.filter((text) => typeof text === 'string')
  if (raw) return raw.join('\n')
  return textField(
    listField(row, 'messages')?.findLast((turn) => textField(turn, 'role') === 'assistant'),
    'content',
  )
}

/** Instance records of Every Eval Ever. */
export const everyEvalEver: ResultsReader = {
  name: 'every-eval-ever',
  looksLike: 'instance records of Every Eval Ever: JSON lines with schema_version and evaluation',
  recognises(file) {
    const first = readFirstLine(file)
    return first !== undefined && REQUIRED.every((key) => Object.hasOwn(first, key))
  },
  async read(file, { model }): Promise<ForeignResults> {
    const samples: ForeignSample[] = []
    const epochs = new Map<string, number>()
    let task: string | undefined
    let version: string | undefined
    for await (const { line, value } of readRecordLines(file.read(), file.name)) {
      const place = `${file.name}:${line}`
      const id = idField(value, 'sample_id')
      if (id === undefined) throw new InputError(`${place}: has no sample_id`)
      task ??= textField(value, 'evaluation_name')
      version ??= textField(value, 'schema_version')
      const modelId = model ?? textField(value, 'model_id') ?? 'unknown model'
      const evaluation = field(value, 'evaluation')
      const isCorrect = field(evaluation, 'is_correct')
      const key = JSON.stringify([id, modelId])
      epochs.set(key, (epochs.get(key) ?? 0) + 1)
      samples.push({
        id,
        epoch: epochs.get(key)!,
        modelId,
        ...readQuestion(field(field(value, 'input'), 'raw')),
        expected: readExpected(field(field(value, 'input'), 'reference')),
        answer: readAnswer(value),
        error: textField(value, 'error'),
        scores: new Map([['score', field(evaluation, 'score')]]),
        passed: typeof isCorrect === 'boolean' ? isCorrect : undefined,
        latencyMs: numberField(field(value, 'performance'), 'latency_ms'),
        promptTokens: numberField(field(value, 'token_usage'), 'input_tokens'),
        completionTokens: numberField(field(value, 'token_usage'), 'output_tokens'),
        place,
      })
    }
    return {
      format: 'every-eval-ever',
      tool: `Every Eval Ever ${version ?? ''}`.trim(),
      task: task ?? 'evaluation',
      samples,
      warnings: [],
    }
  },
}
