import { describe, expect, it } from 'vitest'
import { describePrice } from '../../report/words/models.ts'
import { exampleEndpoints, readEndpoint, readPrice, writePrice } from './endpoint-fields.ts'

const blank = { input: '', cachedInput: '', output: '' }

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

describe('the price of an endpoint', () => {
  it('is read in dollars per million tokens; two empty fields mean that it is unknown', () => {
    expect(readPrice({ ...blank, input: ' 0,15 ', output: '0.6' })).toEqual({ value: { input: 0.15, output: 0.6 } })
    expect(readPrice({ ...blank, input: '0', output: '0' })).toEqual({ value: { input: 0, output: 0 } })
    expect(readPrice({ ...blank, input: '', output: ' ' })).toEqual({ value: undefined })
    expect(readPrice(writePrice({ input: 2.5, output: 10 }))).toEqual({ value: { input: 2.5, output: 10 } })
    expect(readPrice({ input: '2.5', output: '10', cachedInput: '1.25' })).toEqual({
      value: { input: 2.5, output: 10, cachedInput: 1.25 },
    })
    expect(readPrice({ ...blank, cachedInput: '1' })).toHaveProperty('errors.input')
    expect(readPrice({ input: '1', output: '1', cachedInput: '-1' })).toHaveProperty('errors.cachedInput')
    expect(readPrice(writePrice(undefined))).toEqual({ value: undefined })
  })
  it('is needed for both, and never negative', () => {
    expect(readPrice({ ...blank, input: '1', output: '' })).toEqual({
      errors: { output: expect.stringContaining('must be') },
    })
    expect(readPrice({ ...blank, input: '-1', output: 'x' })).toEqual({
      errors: { input: expect.any(String), output: expect.any(String) },
    })
  })
  it('is described in the same units', () => {
    expect(describePrice({ input: 0.15, output: 12 })).toBe('$0.15 in, $12.00 out per million tokens')
    expect(describePrice({ input: 0, output: 0 })).toBe('free')
    expect(describePrice(undefined)).toBe('price unknown')
  })
})
