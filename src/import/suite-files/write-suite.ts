import { stringify } from 'yaml'
import { InputError } from '../../contract/index.ts'
import { writeSuiteCsv } from './write-csv.ts'

type RawSuite = Record<string, unknown>

/** The formats in which a suite can be saved; {{variables}} are kept. To add one, write its function and add a line here. */
export const suiteFormats: { name: string; mediaType: string; format: (suite: RawSuite) => string }[] = [
  { name: 'yaml', mediaType: 'application/yaml; charset=utf-8', format: (suite) => stringify(suite, { lineWidth: 0 }) },
  {
    name: 'json',
    mediaType: 'application/json; charset=utf-8',
    format: (suite) => `${JSON.stringify(suite, null, 2)}\n`,
  },
  {
    name: 'jsonl',
    mediaType: 'application/jsonl; charset=utf-8',
    format: (suite) =>
      casesOf(suite)
        .map((testCase) => `${JSON.stringify(testCase)}\n`)
        .join(''),
  },
  { name: 'csv', mediaType: 'text/csv; charset=utf-8', format: (suite) => writeSuiteCsv(casesOf(suite)) },
]

function casesOf(suite: RawSuite): unknown[] {
  const { testCases } = suite
  return Array.isArray(testCases) ? testCases : []
}

/** JSON lines and CSV have only the cases, not the suite's prompts and variants. */
export function writeSuite(suite: RawSuite, name: string): string {
  const found = suiteFormats.find((format) => format.name === name)
  if (!found)
    throw new InputError(
      `there is no format ${name}; there are ${suiteFormats.map((format) => format.name).join(', ')}`,
    )
  return found.format(suite)
}
