import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { readSource } from '../text/source-text.ts'
import { convertConfig } from './config/convert-config.ts'
import { parseDocument } from './config/referenced-files.ts'

const folder = new URL('../../../../shared/data/promptfoo/', import.meta.url)
const isThere = existsSync(folder)
const rawSchema = z.object({
  name: z.string(),
  variants: z.array(z.looseObject({ name: z.string() })).optional(),
  testCases: z.array(z.looseObject({ id: z.string() })),
})

async function convert(name: string, options = {}) {
  const file = fileURLToPath(new URL(name, folder))
  const { raw, ...rest } = await convertConfig(parseDocument(await readSource(file), file), file, options)
  return { ...rawSchema.parse(raw), ...rest }
}

describe.skipIf(!isThere)(
  `promptfoo's own examples${isThere ? '' : ' (skipped: the folder with shared data is not there)'}`,
  () => {
    it('JSONL tests: two cases, and the echo provider named', async () => {
      const { testCases, warnings, notes, suggestedModels } = await convert(
        'config-jsonl-test-cases/promptfooconfig.yaml',
      )
      expect(testCases.map(({ prompt }) => prompt)).toEqual([
        'Translate the following text to French: Hello, world!',
        'Translate the following text to Spanish: Hello, world!',
      ])
      expect(suggestedModels).toEqual([])
      expect(warnings).toEqual([])
      expect(notes).toEqual([expect.stringMatching(/provider "echo"/)])
    })
    it('five languages × five texts are 25 cases for a judge, with two prompts as variants', async () => {
      const { testCases, variants, suggestedModels } = await convert(
        'config-multiple-translations/promptfooconfig.yaml',
      )
      expect(variants?.map(({ name }) => name)).toEqual(['prompt-1', 'prompt-2'])
      expect(testCases).toHaveLength(25)
      expect(testCases[24]).toMatchObject({
        id: 'test-1.25',
        vars: { input: 'See you later', language: 'Portuguese' },
        scoringMethod: 'llm-judge',
        expectedOutput: expect.stringContaining('"See you later" into Portuguese'),
      })
      expect(suggestedModels).toEqual(['openai/gpt-4.1-mini', 'openai/gpt-4.1', 'anthropic/claude-sonnet-4-6'])
    })
    it('scenarios: three languages × three texts', async () => {
      const { testCases, warnings } = await convert('config-multiple-translations/promptfooconfig-scenarios.yaml')
      expect(testCases).toHaveLength(9)
      expect(testCases.at(-1)).toMatchObject({
        id: 'translated-how-are-you.3',
        scoringMethod: 'similar',
        expectedOutput: 'Wie geht es dir?',
      })
      expect(warnings.join('\n')).not.toMatch(/similar/)
    })
    it('self-grading: the rubric stays, the JavaScript is left out and named', async () => {
      const { testCases, warnings } = await convert('eval-self-grading/promptfooconfig.yaml')
      expect(testCases.map(({ scoringMethod }) => scoringMethod)).toEqual(Array(2).fill('llm-judge'))
      expect(warnings).toEqual([
        expect.stringMatching(
          /promptfooconfig\.yaml:12:7: defaultTest, assertion 2 \(javascript\): it is left out: it runs code/,
        ),
      ])
    })
    it('a chat in YAML without assertions: its answers are collected', async () => {
      const { testCases } = await convert('openai-multiline-yaml/promptfooconfig.yaml')
      expect(testCases).toHaveLength(3)
      expect(testCases[0]).toMatchObject({
        messages: [{ role: 'system' }, { role: 'user', content: 'hey' }],
        scoringMethod: 'none',
      })
    })
    it('CSV tests: the prompt with filters is left out, the plain one asks four times', async () => {
      const { testCases, warnings } = await convert('simple-csv/promptfooconfig.yaml')
      expect(testCases.map(({ expectedOutput }) => expectedOutput)).toEqual(['bonjour', 'faim', 'Ahoy', 'grub'])
      expect(testCases[0]?.['prompt']).toContain('Follow the style configuration: {"tone":"formal","length":"brief"}.')
      expect(warnings).toEqual([
        expect.stringMatching(/prompts\.txt:1: the prompt uses \{\{ \(style_config \| load\)\.tone \}\}/),
      ])
    })
    it('Excel tests are refused with what to do instead', async () => {
      await expect(convert('simple-csv/promptfooconfig.xlsx.yaml')).rejects.toThrow(
        /promptfooconfig\.xlsx\.yaml:7:1: .*Excel files are not read; save the sheet as CSV/,
      )
    })
  },
)
