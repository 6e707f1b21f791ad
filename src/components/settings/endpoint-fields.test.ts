import { describe, expect, it } from 'vitest'
import { exampleEndpoints, readEndpoint } from './endpoint-fields.ts'

describe('the fields of an endpoint', () => {
  it('accept the examples, with and without a key', () => {
    for (const { name, baseUrl } of exampleEndpoints)
      expect(readEndpoint({ name, baseUrl, key: ' ' }, [])).toEqual({ request: { name, baseUrl } })
    expect(readEndpoint({ name: 'a', baseUrl: ' https://x.test/v1 ', key: ' k ' }, [])).toEqual({
      request: { name: 'a', baseUrl: 'https://x.test/v1', key: 'k' },
    })
  })
  it('report errors by field', () => {
    expect(readEndpoint({ name: 'My Server', baseUrl: 'javascript:alert(1)', key: '' }, [])).toEqual({
      errors: { name: expect.stringContaining('Lowercase letters'), baseUrl: expect.stringContaining('http://') },
    })
    expect(readEndpoint({ name: '', baseUrl: '', key: 'x'.repeat(1001) }, [])).toMatchObject({
      errors: { key: expect.any(String) },
    })
  })
  it('reject the name of an existing endpoint', () => {
    expect(readEndpoint({ name: 'ollama', baseUrl: 'http://127.0.0.1:1/v1', key: '' }, ['ollama'])).toMatchObject({
      errors: { name: expect.stringContaining('already') },
    })
  })
})
