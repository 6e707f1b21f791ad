import { z } from 'zod'
import { checkSchema, simpleCheckSchema, suiteSchema, testCaseSchema } from '../../contract/index.ts'
import { checkGroup } from './compile-case.ts'
import { presetNames } from '../judging/judge-presets.ts'
import { codeScorers, scorers } from '../scorers.ts'

const methods = [...scorers, ...codeScorers]

type JsonSchema = Record<string, unknown>

function toJsonSchema(schema: z.ZodType): JsonSchema {
  return { ...z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) }
}

/** `if` the method is this one, `then` these are its options, so that editors complete and explain them. */
function methodSchema({ name, summary, options, expectedOutput }: (typeof methods)[number]): JsonSchema {
  const { properties = {}, required = [] } = toJsonSchema(options) as { properties?: JsonSchema; required?: string[] }
  return {
    if: { properties: { scoringMethod: { const: name } }, required: ['scoringMethod'] },
    then: {
      description: summary,
      properties,
      required: [...required, ...(expectedOutput === 'required' ? ['expectedOutput'] : [])],
    },
  }
}

function withMethods(schema: z.ZodType, known = methods): JsonSchema {
  const { $schema: _dialect, ...base } = toJsonSchema(schema)
  const { properties } = base as { properties: JsonSchema }
  const method = {
    type: 'string',
    enum: known.map(({ name }) => name),
    description: known.map(({ name, summary }) => `${name}: ${summary}`).join('\n'),
  }
  return { ...base, properties: { ...properties, scoringMethod: method }, allOf: known.map(methodSchema) }
}

/** A check may be a group of others. */
function checkGroupSchema(): JsonSchema {
  const check = withMethods(checkSchema, [...methods, checkGroup])
  const { properties } = check as { properties: JsonSchema }
  const { description } = properties['checks'] as { description: string }
  const members = { type: 'array', minItems: 1, description, items: withMethods(simpleCheckSchema) }
  return { ...check, properties: { ...properties, checks: members } }
}

/** The JSON Schema of a suite file, derived from the schemas that check it. */
export function suiteJsonSchema(): JsonSchema {
  const suite = toJsonSchema(suiteSchema)
  const { properties } = suite as { properties: JsonSchema }
  const testCase = withMethods(testCaseSchema)
  const { properties: caseProperties } = testCase as { properties: JsonSchema }
  return {
    ...suite,
    title: 'Benchmaker suite',
    properties: {
      ...properties,
      preset: { ...(properties['preset'] as JsonSchema), enum: presetNames },
      testCases: {
        type: 'array',
        minItems: 1,
        items: {
          ...testCase,
          properties: { ...caseProperties, checks: { type: 'array', minItems: 1, items: checkGroupSchema() } },
        },
      },
    },
  }
}
