import { finishSuite, listScorers, type FinishedSuite } from '../../suite-files/finish-suite.ts'
import { readSource } from '../../text/source-text.ts'
import { convertConfig, type ConvertedConfig, type PromptfooOptions } from './convert-config.ts'
import { parseDocument } from './referenced-files.ts'

export type ImportedConfig = FinishedSuite & Omit<ConvertedConfig, 'raw' | 'locate' | 'warnings'>

/** Reads a promptfoo config with the files it names. */
export async function loadPromptfooConfig(file: string, options: PromptfooOptions = {}): Promise<ImportedConfig> {
  const { raw, locate, warnings, ...suggested } = await convertConfig(
    parseDocument(await readSource(file), file),
    file,
    options,
  )
  const finished = finishSuite(raw, locate, listScorers(options))
  return { suite: finished.suite, warnings: [...warnings, ...finished.warnings], ...suggested }
}
