import { describe, expect, it } from 'vitest'
import { readTextCalls, readTextReply } from './text-calls.ts'

const send = { name: 'send', arguments: { to: 'a' } }
const json = JSON.stringify(send)

describe('calls written as text', () => {
  it.each([
    ['act', `Action:\n${json}`],
    ['react', `Thought:\nI must send it.\nAction:\n${json}`],
    ['react on one line', `Thought: send it. Action: ${json}`],
    ['react with words after the call', `Action:\n${json}\n\nI will wait for the reply.`],
    ['react with an example in the thought', `Thought: not Action: {"name": "x", "arguments": {}}\nAction: ${json}`],
    ['Action Input', 'Thought: send\nAction: send\nAction Input: {"to": "a"}'],
    ['tags', `<tool_call>\n${json}\n</tool_call>`],
    ['tags in capitals', `<TOOLCALL>[${json}]</TOOLCALL>`],
    ['an unclosed tag', `<tool_call>${json}`],
    ['a function tag', '<function=send>{"to": "a"}</function>'],
    ['a fence', `Sure.\n\`\`\`json\n${json}\n\`\`\``],
    ['a fence without a language', `\`\`\`\n${JSON.stringify({ tool: 'send', parameters: { to: 'a' } })}\n\`\`\``],
    ['nothing else', json],
    ['OpenAI’s form', JSON.stringify([{ type: 'function', function: { name: 'send', arguments: '{"to":"a"}' } }])],
  ])('%s', (_name, content) => {
    expect(readTextCalls(content).calls).toEqual([send])
  })

  it('reads several calls of one message', () => {
    expect(readTextCalls(`<tool_call>${json}</tool_call><tool_call>${json}</tool_call>`).calls).toEqual([send, send])
  })

  it.each([
    ['words', 'Your order is on its way.', 'Your order is on its way.'],
    ['respond', 'Thought: tell\nAction:\n{"name": "respond", "arguments": {"content": "It is 5."}}', 'It is 5.'],
    ['words after Action', 'Thought: it is 7\nAction:\nIt is 5.', 'It is 5.'],
    ['words about an action', 'The next Action: please wait.', 'The next Action: please wait.'],
    ['words around a call', `Just a moment. <tool_call>${json}</tool_call>`, 'Just a moment.'],
    ['JSON that is no call', 'Here: ```json\n{"price": 5}\n```', 'Here: ```json\n{"price": 5}\n```'],
    ['a call without arguments', '{"name": "Ada King"}', '{"name": "Ada King"}'],
    ['broken JSON', 'Action:\n{"name": "send", "arguments": {', '{"name": "send", "arguments": {'],
  ])('what the user reads: %s', (_name, content, said) => {
    expect(readTextCalls(content).said).toBe(said)
  })

  it.each([
    ['user', 'API output: Error: no', { text: 'Error: no', isReply: true }],
    ['user', '<tool_response>\n{"a": 1}\n</tool_response>', { text: '{"a": 1}', isReply: true }],
    ['user', 'Observation: fine', { text: 'fine', isReply: true }],
    ['tool', 'fine', { text: 'fine', isReply: true }],
    ['user', '{"a": 1}', { text: '{"a": 1}', isReply: true }],
    ['user', 'What do you mean?', { text: 'What do you mean?', isReply: false }],
  ])('a reply in the place of %s: %j', (role, content, reply) => {
    expect(readTextReply(role, content)).toEqual(reply)
  })
})
