import { expect, it } from 'vitest'
import { walkThrough } from './walkthrough.ts'

// Where a page names models that need a key or a server, simulated ones answer; estimates send nothing.
const standIns = { 'openai/gpt-5,ollama/llama3.2': 'demo/good,demo/fair' }

it.each([
  ['README.md', 1, { columns: 80, standIns, yamlFile: 'prices.yaml' }],
  ['docs/tutorial.md', 6, { columns: 100 }],
  ['docs/first-run.md', 7, { columns: 100 }],
  ['docs/reading-a-verdict.md', 1, { columns: 100 }],
])('%s: its commands run on a fresh home and print what it shows', async (page, outputs, walk) => {
  expect(await walkThrough(page, walk)).toBeGreaterThanOrEqual(outputs)
})
