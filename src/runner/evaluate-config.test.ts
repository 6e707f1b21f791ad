import { describe, expect, it } from 'vitest'
import { evaluateConfig } from './evaluate-config.ts'

describe('a config in code', () => {
  it.each([
    ['module.exports = { prompts: ["a"], tests: [{ vars: { n: 1 + 1 } }] };', 'c.js'],
    ['const n = 2;\nexport default { prompts: ["a"], tests: [{ vars: { n } }] }', 'c.mjs'],
    [
      'import type { UnifiedConfig } from "promptfoo"\nconst config: UnifiedConfig = { prompts: ["a"], tests: [{ vars: { n: 2 as number } }] }\nexport default config',
      'c.ts',
    ],
    [
      'require("dotenv").config(); module.exports = Promise.resolve({ prompts: ["a"], tests: [{ vars: { n: 2 } }] })',
      'c.cjs',
    ],
  ])('%s is what it exports', async (source, file) => {
    expect(await evaluateConfig(source, file)).toEqual({ prompts: ['a'], tests: [{ vars: { n: 2 } }] })
  })
  it('sees the names of the environment only, and hands on functions that check', async () => {
    const source =
      'module.exports = { id: `openai:${process.env.MODEL}`, value: (output) => output.length > 3, prompts: [() => "x"] }'
    expect(await evaluateConfig(source, 'c.js')).toEqual({
      id: 'openai:{{env.MODEL}}',
      value: 'return ((output) => output.length > 3)(output, context)',
      prompts: ['file://function-of-the-config.js'],
    })
  })
  it.each([
    [
      'const fs = require("fs"); module.exports = {}',
      /it loads fs, and only the file itself is evaluated\. Write it as JSON with: node -e/,
    ],
    ["import fs from 'node:fs'\nexport default {}", /it loads node:fs/],
    ['while (true) {}', /takes longer than 5 s/],
    ['const a = {}; a.a = a; module.exports = a', /it contains itself/],
    ['module.exports = {', /the code cannot be read/],
    ['fetch("http://127.0.0.1")', /fetch/],
  ])(
    '%s cannot be evaluated',
    async (source, message) => {
      await expect(evaluateConfig(source, 'folder/c.js')).rejects.toThrow(message)
    },
    60_000,
  )
})
