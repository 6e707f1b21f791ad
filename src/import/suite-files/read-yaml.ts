import { finishSuite, type FinishedSuite } from './finish-suite.ts'
import { parseLocated } from '../text/located-document.ts'
import { readSource } from '../text/source-text.ts'

/** Reads a suite from YAML or JSON. One error lists all problems, one per line. */
export function parseSuite(text: string, file: string): FinishedSuite {
  const document = parseLocated(text, file)
  return finishSuite(document.value, document.locate)
}

export async function loadSuite(file: string): Promise<FinishedSuite> {
  return parseSuite(await readSource(file), file)
}
