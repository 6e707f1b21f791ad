import { InputError } from '../../contract/index.ts'
import type { ResultsFile, ResultsReader } from './foreign-results.ts'
import type { ResultsChoices } from './results-choices.ts'
import { everyEvalEver } from './formats/every-eval-ever.ts'
import { inspectArchive } from './formats/inspect-archive.ts'
import { inspectJson } from './formats/inspect-json.ts'
import { lmEval } from './formats/lm-eval.ts'
import { openaiEvals } from './formats/openai-evals.ts'
import { promptfooOutput } from './formats/promptfoo.ts'
import { table } from './formats/table.ts'

/** The readers in the order they are tried. To add one, write its file and test and add a line here. */
const readers: readonly ResultsReader[] = [
  inspectArchive,
  inspectJson,
  promptfooOutput,
  lmEval,
  openaiEvals,
  everyEvalEver,
  table,
]

/** The reader of a results file; undefined for a file of another kind, such as a suite. */
export async function findResultsReader(
  file: ResultsFile,
  choices: ResultsChoices = {},
): Promise<ResultsReader | undefined> {
  for (const reader of readers) if (await reader.recognises(file, choices)) return reader
  return undefined
}

export function refuseUnknown({ name }: ResultsFile): never {
  throw new InputError(
    `${name}: is not a results file that Benchmaker can read. Looked for:\n${readers.map(({ looksLike }) => `  ${looksLike}`).join('\n')}`,
  )
}
