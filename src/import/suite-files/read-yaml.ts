import type { Scorer } from '../../scoring/index.ts'
import { finishSuite, type FinishedSuite } from './finish-suite.ts'
import { parseLocated } from '../text/located-document.ts'
import { readSource } from '../text/source-text.ts'

/** Reads a suite from YAML or JSON. One error lists all problems, one per line. */
export function parseSuite(text: string, file: string, scorers?: readonly Scorer[]): FinishedSuite {
  const document = parseLocated(text, file)
  return finishSuite(document.value, document.locate, scorers)
}

export async function loadSuite(file: string, scorers?: readonly Scorer[]): Promise<FinishedSuite> {
  return parseSuite(await readSource(file), file, scorers)
}
