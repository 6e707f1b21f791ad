import { expect, it } from 'vitest'
import { describeHttpEndpoint } from './http-endpoint.ts'

it('says what to save for an HTTP provider of promptfoo, without its secrets', () => {
  const config = {
    method: 'post',
    headers: { 'Content-Type': 'application/json', Authorization: 'Bearer {{env.TOKEN}}', 'x-trace': 'on' },
    body: { messages: [{ role: 'user', content: '{{prompt}}' }] },
    transformResponse: 'json.choices[0].message.content',
  }
  expect(describeHttpEndpoint('https://user:pass@api.test/v1?api_key=abc&v=2', config)).toBe(
    'an endpoint with "Any other" API in the settings: URL https://api.test/v1?v=2, method POST, ' +
      'headers Authorization: Bearer {{key}} | x-trace: on, body {"messages":[{"role":"user","content":"{{prompt}}"}]}, ' +
      'path of the answer choices[0].message.content',
  )
  expect(describeHttpEndpoint('https', { url: 'http://127.0.0.1:9/q?q={{prompt}}' })).toBe(
    'an endpoint with "Any other" API in the settings: URL http://127.0.0.1:9/q?q={{prompt}}, method GET, no path of the answer',
  )
})
it('names what has to be changed', () => {
  const config = { body: '{"q": "{{prompt}}", "c": "{{context}}"}', transformResponse: '(json) => json.a' }
  expect(describeHttpEndpoint('http', { ...config, url: 'https://api.test/v1' })).toMatch(
    /which code finds here \(to change: has the unknown variable \{\{context\}\}/,
  )
  expect(describeHttpEndpoint('openai:gpt-4o', config)).toBeUndefined()
  expect(describeHttpEndpoint('http', config)).toBeUndefined()
})
