import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { calibrationSampleSchema } from '../src/contract/index.ts'
import { importSuite } from '../src/import/index.ts'

const root = join(import.meta.dirname, '..')
const text = z.string().min(1)
const texts = z.array(text).min(1)
const sample = calibrationSampleSchema.strict().extend({ trap: text.optional() }).required({ tolerance: true })

const page = text.regex(/<html/).regex(/<\/html>\n$/)
const pair = z.tuple([text, text])

const call = { call: text, arguments: z.record(z.string(), z.unknown()) }
const plans = z
  .array(
    z
      .array(
        z.union([
          z.strictObject({ say: text }),
          z.strictObject(call),
          z.strictObject({ calls: z.array(z.strictObject(call)).min(2) }),
        ]),
      )
      .min(1),
  )
  .min(1)

/** The first row that matches says what a file contains; a data file that no row matches fails. */
const kinds: [pattern: RegExp, schema: z.ZodType][] = [
  [/calibration-sets\/default\.json$/, z.array(sample)],
  [
    /calibration-sets\/\w+\.json$/,
    z.strictObject({
      name: text,
      version: text,
      title: text,
      summary: text,
      samples: z.array(sample.required({ reason: true })),
    }),
  ],
  [
    /audit-questions\.json$/,
    z.array(z.strictObject({ id: text, prompt: text, reference: text, good: pair, medium: pair, poor: text })),
  ],
  [/demo\/answers\.json$/, z.record(text, z.strictObject({ right: texts, half: texts, wrong: texts }))],
  [/demo\/agent-tasks\.json$/, z.record(text, z.strictObject({ right: plans, half: plans, wrong: plans }))],
  [/demo\/pages\/any-subject\/\w+\.html$/, page.includes('{{subject}}')],
  [/demo\/pages\/\w+\/\w+\.html$/, page],
  [/demo\/pages\/pricing\/\w+\.md$/, text.regex(/```\w+\n[\s\S]+\n```\n/)],
  [
    /^examples\/[\w-]+\/answers\.json$/,
    z.strictObject({
      note: text,
      runs: z.array(z.looseObject({ id: text, results: z.array(z.looseObject({ testCaseId: text, modelId: text })) })),
    }),
  ],
  [/datasets\/field-translations\.json$/, z.record(text, z.array(text.regex(/^[\p{L}\p{M}]+$/u)).min(1))],
  [/datasets\/field-names\.json$/, z.record(text, z.array(text.regex(/^[a-z\d]+$/)).min(1))],
  [/datasets\/label-names\.json$/, z.record(text, z.array(text).min(2))],
  [/promptfoo\/providers\/gateways\.json$/, z.record(text, z.url())],
  [/providers\/fixtures\/[\w-]+\.json$/, z.record(text, z.unknown())],
]

const files = globSync(['src/**/*.{json,html,md,yaml}', 'examples/**/*.json'], { cwd: root }).filter(
  (file) => !/tsconfig\.json$|^src\/components\/index\.html$/.test(file),
)

it.each(files)('%s has the shape that the program reads', (file) => {
  const content = readFileSync(join(root, file), 'utf8')
  const schema = kinds.find(([pattern]) => pattern.test(file))?.[1]
  if (!schema) throw new Error(`${file}: no schema in ${import.meta.filename} describes it`)
  const { error } = schema.safeParse(file.endsWith('.json') ? JSON.parse(content) : content)
  expect(error && `${file}: ${z.prettifyError(error)}`).toBeUndefined()
})

it.each(globSync('examples/*/suite.yaml', { cwd: root }))('%s is a valid suite', async (file) => {
  await expect(importSuite(join(root, file))).resolves.toBeDefined()
})
