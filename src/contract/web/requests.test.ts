import { describe, expect, it } from 'vitest'
import { codeArenaRequestSchema, runRequestSchema } from '../index.ts'

describe('a run request', () => {
  it('keeps only the parameters it names: the defaults of the others depend on the run', () => {
    const parameters = { temperature: 0.2 }
    expect(runRequestSchema.parse({ suiteId: 's', models: ['a'], parameters }).parameters).toEqual(parameters)
    expect(codeArenaRequestSchema.parse({ prompt: 'a page', models: ['a'], parameters }).parameters).toEqual(parameters)
    expect(codeArenaRequestSchema.parse({ prompt: 'a page', models: ['a'] }).parameters).toEqual({})
  })
})
