import { writeFile } from 'node:fs/promises'
import { extname } from 'node:path'
import { InputError } from '../../contract/index.ts'
import { printJson, type Terminal } from '../output/terminal.ts'
import { cleanText } from '../output/text-table.ts'

const STARTER = `# A first suite. Run it with:  benchmaker run suite.yaml --models demo/good,demo/poor
# Every field is explained by:  benchmaker schema > suite.schema.json
name: My first suite
systemPrompt: Answer as briefly as the task allows.
testCases:
  - id: capital-australia
    prompt: What is the capital of Australia? Answer with the name only.
    scoringMethod: exact-match
    expectedOutput: Canberra
    partial: false
  - id: percent-change
    prompt: A price rises from 80 to 92. By how many per cent?
    scoringMethod: numeric-tolerance
    expectedOutput: 15
    answer: last
    weight: 2
  - id: iso-date
    prompt: Write 5 March 2024 as an ISO 8601 date.
    scoringMethod: regex-match
    expectedOutput: ^\\s*2024-03-05\\s*$
  - id: json-person
    prompt: 'Extract as JSON with the keys name, age and city: "Ada, 36, lives in London."'
    scoringMethod: json-match
    expectedOutput: { name: Ada, age: 36, city: London }
    partial: false
    metadata: { category: extraction, tags: [json] }
`

/** `benchmaker init` */
export async function createStarterSuite(
  file: string,
  terminal: Terminal,
  { json = false }: { json?: boolean } = {},
): Promise<number> {
  if (!['', '.yaml', '.yml'].includes(extname(file).toLowerCase()))
    throw new InputError(`${file}: the first suite is written as YAML; use .yaml or .yml`)
  await writeFile(file, STARTER, { flag: 'wx' }).catch((error: NodeJS.ErrnoException) => {
    throw new InputError(
      error.code === 'EEXIST'
        ? `${file} already exists and was not changed; choose another file`
        : `${file}: ${error.message}`,
      { cause: error },
    )
  })
  if (json) printJson({ wrote: [file] }, terminal)
  terminal.stderr.write(
    `Wrote ${cleanText(file)}. Try it with simulated models, no key needed:\n  benchmaker run ${cleanText(file)}\n`,
  )
  return 0
}
