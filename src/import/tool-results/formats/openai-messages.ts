import {
  listToolCalls,
  readChatCalls,
  readExpectedCalls,
  readExpectedOutputs,
  type ChatOptions,
  readChatTranscript,
} from './chat-calls.ts'
import { field, idField, listField, numberField } from './fields.ts'
import { readLiteralArguments } from './literal-arguments.ts'
import { readReward, type ToolResultFormat } from './format.ts'
import { isJsonObject } from '../../../contract/index.ts'

const options: ChatOptions = { hasFunctionCalls: true }

/** OpenAI chat: `{ messages, expectedCalls }`, or a reply with `choices` and `expectedCalls`. */
export const openaiMessages: ToolResultFormat = {
  name: 'openai-messages',
  looksLike: 'records with messages (OpenAI chat, with tool_calls)',

  recognises: (record) => {
    const messages = findMessages(record)
    return messages !== undefined && messages.length > 0 && messages.every((message) => isJsonObject(message))
  },

  /** Anthropic's messages look the same where they have no call. */
  isUnsure: (record) => !(findMessages(record) ?? []).some((message) => listToolCalls(message, options).length > 0),

  read(record, { index }) {
    const taskId = idField(record, 'task_id', 'taskId', 'id', 'custom_id') ?? String(index)
    const { reward, problems: rewardProblems } = readReward(record, taskId)
    const read = readChatCalls(findMessages(record) ?? [], options)
    const { calls, said, problems } = read
    const expected = readExpectedCalls(record)
    const effectCalls = readLiteralArguments(read.effectCalls ?? calls, expected ?? []) ?? read.effectCalls
    const outputs = readExpectedOutputs(record)
    const trial = numberField(record, 'trial')
    return {
      taskId,
      ...(trial !== undefined && { trial }),
      ...(reward !== undefined && { reward }),
      expected,
      calls,
      ...(effectCalls && { effectCalls }),
      ...(outputs && { outputs: { expected: outputs, said } }),
      problems: [...problems, ...rewardProblems, ...(expected ? [] : ['no expected actions (not scored)' as const])],
    }
  },

  readTranscript: (record) => readChatTranscript(findMessages(record) ?? [], options),
}

function findMessages(record: unknown): readonly unknown[] | undefined {
  if (Array.isArray(record)) return record.some((message) => field(message, 'role') !== undefined) ? record : undefined
  const body = field(field(record, 'response'), 'body')
  const choices = listField(record, 'choices') ?? listField(body, 'choices')
  return listField(record, 'messages') ?? choices?.map((choice) => field(choice, 'message'))
}
