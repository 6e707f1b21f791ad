import { readArguments, type ActualCall } from '../../../scoring/tool-calls/index.ts'
import { readContent, readExpectedCalls, readExpectedOutputs } from './chat-calls.ts'
import { field, idField, listField, numberField, textField } from './fields.ts'
import { readReward, type ToolResultFormat } from './format.ts'
import { isJsonObject } from '../../../contract/index.ts'

/** Anthropic: `{ messages, expectedCalls }` with `tool_use` and `tool_result` blocks, or one reply with `content`. */
export const anthropicMessages: ToolResultFormat = {
  name: 'anthropic-messages',
  looksLike: 'records with messages (Anthropic, with tool_use blocks)',

  recognises: (record) => findBlocks(record).some((block) => textField(block, 'type')?.startsWith('tool_')),

  read(record, { index }) {
    const taskId = idField(record, 'task_id', 'taskId', 'id', 'custom_id') ?? String(index)
    const { reward, problems } = readReward(record, taskId)
    const expected = readExpectedCalls(record)
    const outputs = readExpectedOutputs(record)
    const trial = numberField(record, 'trial')
    return {
      taskId,
      ...(trial !== undefined && { trial }),
      ...(reward !== undefined && { reward }),
      expected,
      calls: readBlockCalls(findBlocks(record)),
      ...(outputs && { outputs: { expected: outputs, said: findSaid(record) } }),
      problems: [...problems, ...(expected ? [] : ['no expected actions (not scored)' as const])],
    }
  },

  readTranscript(record) {
    let index = 0
    return findMessages(record).map((message) => {
      const content = field(message, 'content')
      const blocks = Array.isArray(content) ? content : []
      const replies = blocks.filter((block) => textField(block, 'type') === 'tool_result')
      const text = [readContent(content), ...replies.map((block) => readContent(field(block, 'content')))]
      return {
        role: replies.length > 0 ? 'tool' : (textField(message, 'role') ?? 'assistant'),
        text: text.filter((part) => part !== '').join('\n'),
        calls: readBlockCalls(blocks).map((call) => ({
          index: index++,
          name: call.name,
          arguments: call.arguments,
        })),
      }
    })
  },
}

function findMessages(record: unknown): readonly unknown[] {
  return Array.isArray(record) ? record : (listField(record, 'messages') ?? (isJsonObject(record) ? [record] : []))
}

function findBlocks(record: unknown): readonly unknown[] {
  return findMessages(record).flatMap((message) => listField(message, 'content') ?? [])
}

function findSaid(record: unknown): string[] {
  return findMessages(record)
    .filter((message) => textField(message, 'role') === 'assistant')
    .map((message) => readContent(field(message, 'content')))
}

function readBlockCalls(blocks: readonly unknown[]): ActualCall[] {
  const made: { id: string | undefined; call: ActualCall }[] = []
  for (const block of blocks) {
    const name = textField(block, 'name')
    if (textField(block, 'type') === 'tool_use' && name !== undefined)
      made.push({ id: idField(block, 'id'), call: { name, ...readArguments(field(block, 'input')) } })
    if (textField(block, 'type') !== 'tool_result') continue
    const id = idField(block, 'tool_use_id')
    const opened = made.findLast(({ id: madeId, call }) => madeId === id && call.result === undefined)
    if (!opened) continue
    opened.call.result = readContent(field(block, 'content'))
    if (field(block, 'is_error') === true) opened.call.isError = true
  }
  return made.map(({ call }) => call)
}
