import { describe, expect, it } from 'vitest'
import { codeArenaRequestSchema, runRequestSchema } from './index.ts'

describe('a request to run something', () => {
  it('names some parameters and leaves the others to the run, whose defaults differ', () => {
    const parameters = { temperature: 0.2 }
    expect(runRequestSchema.parse({ suiteId: 's', models: ['a'], parameters }).parameters).toEqual(parameters)
    expect(codeArenaRequestSchema.parse({ prompt: 'a page', models: ['a'], parameters }).parameters).toEqual(parameters)
    expect(codeArenaRequestSchema.parse({ prompt: 'a page', models: ['a'] }).parameters).toEqual({})
  })
})
