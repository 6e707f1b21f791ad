import { z } from 'zod'
import { checkSchema, pageTestSchema, simpleCheckSchema, suiteSchema, testCaseSchema } from '../../contract/index.ts'
import { checkGroup } from './compile-case.ts'
import { instructionKinds } from '../instructions/kinds.ts'
import { presetNames } from '../judging/judge-presets.ts'
import { codeScorers, scorers } from '../scorers.ts'

const methods = [...scorers, ...codeScorers]

type JsonSchema = Record<string, unknown>

const PAGE_TEST = 'pageTest'

/** The tests of a page are long, and in many places: they are written once. */
function toJsonSchema(schema: z.ZodType): JsonSchema {
  return {
    ...z.toJSONSchema(schema, {
      io: 'input',
      unrepresentable: 'any',
      override({ zodSchema, jsonSchema }) {
        if (zodSchema !== pageTestSchema) return
        for (const key of Object.keys(jsonSchema)) Reflect.deleteProperty(jsonSchema, key)
        jsonSchema.$ref = `#/$defs/${PAGE_TEST}`
      },
    }),
  }
}

function definePageTest(): JsonSchema {
  const { $schema: _dialect, $defs, ...test } = z.toJSONSchema(pageTestSchema, { io: 'input', reused: 'ref' })
  return { ...$defs, [PAGE_TEST]: test }
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

/** A check of the method instructions has a kind instead of a method. */
function orInstruction(check: JsonSchema): JsonSchema {
  const kind = { type: 'string', enum: Object.keys(instructionKinds), description: 'An instruction of IFEval' }
  return { anyOf: [check, { type: 'object', properties: { kind }, required: ['kind'] }] }
}

/** A check may be a group of others. */
function checkGroupSchema(): JsonSchema {
  const check = withMethods(checkSchema, [...methods, checkGroup])
  const { properties } = check as { properties: JsonSchema }
  const { description } = properties['checks'] as { description: string }
  const members = { type: 'array', minItems: 1, description, items: orInstruction(withMethods(simpleCheckSchema)) }
  return { ...check, properties: { ...properties, checks: members } }
}

/** What a file may leave out: its name is then that of the file, and its cases are counted. */
function withoutNames({ required, ...schema }: JsonSchema): JsonSchema {
  return { ...schema, required: (required as string[]).filter((name) => name !== 'name' && name !== 'id') }
}

/** A name, as schema stores want one; nothing is fetched from it. */
const SCHEMA_ID = 'https://json.schemastore.org/benchmaker-suite.json'

/** The JSON Schema of a suite file, derived from the schemas that check it. */
export function suiteJsonSchema(): JsonSchema {
  const suite = toJsonSchema(suiteSchema)
  const { properties } = suite as { properties: JsonSchema }
  const testCase = withMethods(testCaseSchema)
  const { properties: caseProperties } = testCase as { properties: JsonSchema }
  return {
    ...withoutNames(suite),
    $id: SCHEMA_ID,
    $defs: definePageTest(),
    title: 'Benchmaker suite',
    description: 'Test cases for language models, with how their answers are scored',
    properties: {
      $schema: { type: 'string', description: 'For editors: where this schema is' },
      ...properties,
      preset: { ...(properties['preset'] as JsonSchema), enum: presetNames },
      testCases: {
        type: 'array',
        minItems: 1,
        items: {
          ...withoutNames(testCase),
          properties: {
            ...caseProperties,
            checks: { type: 'array', minItems: 1, items: orInstruction(checkGroupSchema()) },
          },
        },
      },
    },
  }
}
