import type { Scorer } from '../../scoring/index.ts'
import { finishSuite, nameAfterFile, type FinishedSuite } from './finish-suite.ts'
import { parseLocated } from '../text/located-document.ts'

/** Reads a suite from YAML or JSON. One error lists all problems, one per line. */
export function parseSuite(text: string, file: string, scorers?: readonly Scorer[]): FinishedSuite {
  const document = parseLocated(text, file)
  return finishSuite(document.value, document.locate, scorers, nameAfterFile(file))
}
