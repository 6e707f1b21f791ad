import { z } from 'zod'
import { suiteJsonSchema } from '../../../src/scoring/compiling/suite-json-schema.ts'
import { codeScorers, scorers } from '../../../src/scoring/scorers.ts'
import type { GeneratedPage } from '../build-site.ts'
import { plain } from './markdown-tables.ts'
import { writeFields, type JsonSchema } from './schema-fields.ts'

/** The schema describes every method here, for editors; the page has a link. */
const comments = new Map([
  ['scoringMethod', 'How answers are scored'],
  ['testCases', 'The test cases'],
  ['checks', 'Several checks instead of a single scoring method'],
])

/** The format of suite files, from the schema that checks them. */
export function writeSuiteFormat(): GeneratedPage {
  const suite = suiteJsonSchema() as JsonSchema
  const { testCases, variants } = suite.properties ?? {}
  const testCase = testCases?.items ?? {}
  const { messages, checks } = testCase.properties ?? {}
  const method = '[scoring method](scoring-methods.md)'
  const inCase = { messages: '[messages](#messages)', checks: '[checks](#checks)', scoringMethod: method }
  return {
    path: 'reference/suite-files.md',
    summary: 'every field of a suite file.',
    markdown: [
      '# Suite files',
      'A suite is a YAML or JSON file. CSV, JSONL and promptfoo files are [converted](../importing.md). `benchmaker schema` prints this page as a JSON Schema, with which editors complete and check suites. The options of a [scoring method](scoring-methods.md) are written beside the other fields of its case or check.',
      '## Suite',
      writeFields(suite, {
        comments,
        elsewhere: { testCases: '[test cases](#test-cases)', variants: '[variants](#variants)' },
      }),
      '## Test cases',
      writeFields(testCase, { comments, elsewhere: inCase }),
      '## Checks',
      'Several checks score one answer; the score is their weighted mean, and the case passes if every check does.',
      writeFields(checks?.items ?? {}, {
        comments: new Map([['scoringMethod', 'How the check scores an answer; `group` makes one of several checks']]),
        elsewhere: { scoringMethod: method, checks: '[checks](#checks)' },
      }),
      '## Messages',
      writeFields(messages?.items ?? {}),
      '## Variants',
      writeFields(variants?.items ?? {}, { elsewhere: { messages: '[messages](#messages)' } }),
    ].join('\n\n'),
  }
}

const EXPECTED = { required: 'required', optional: 'optional', unused: 'not used' }

/** The scoring methods, from their own definitions. */
export function writeScoringMethods(): GeneratedPage {
  const sections = [...scorers, ...codeScorers].map(
    ({ name, summary, expectedOutput, passAt, modelCalls, options }) => {
      const fields = writeFields(z.toJSONSchema(options, { io: 'input', unrepresentable: 'any' }) as JsonSchema)
      const facts = [
        `Expected output: ${EXPECTED[expectedOutput]}`,
        `passes at ${Math.round(passAt * 100)} points`,
        ...(modelCalls.expected > 0
          ? [`${modelCalls.expected === 1 ? 'one model call' : `${modelCalls.expected} model calls`} a grade and judge`]
          : []),
        ...(codeScorers.some((scorer) => scorer.name === name) ? ['only with `--allow-code`'] : []),
      ]
      return `## ${name}\n\n${plain(summary)}.\n\n${facts.join('; ')}.\n\n${fields}`
    },
  )
  return {
    path: 'reference/scoring-methods.md',
    summary: 'every scoring method with its options.',
    markdown: [
      '# Scoring methods',
      'A case names its method in `scoringMethod` and writes the options beside it. [Methodology](../methodology.md) has the formulas, [Extending the library](../extending.md) how to add a method.',
      ...sections,
    ].join('\n\n'),
  }
}
