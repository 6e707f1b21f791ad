import { InputError } from '../../../contract/index.ts'
import type { ForeignResults, ResultsReader } from '../foreign-results.ts'
import { findPromptfooForm } from './promptfoo-files.ts'
import { compareRows, namePrompts, namesNoProvider, readRows, refuseTwice } from './promptfoo-rows.ts'

const FIRST_VERSION = 3

function checkVersion(version: unknown, name: string): void {
  if (version !== undefined && (typeof version !== 'number' || version < FIRST_VERSION))
    throw new InputError(
      `${name}: is promptfoo output of version ${version === null ? 'unknown' : JSON.stringify(version)}; version ${FIRST_VERSION} and later are read: export it again with a newer promptfoo`,
    )
}

/** What `promptfoo eval -o` writes. */
export const promptfooOutput: ResultsReader = {
  name: 'promptfoo',
  looksLike: 'promptfoo output: JSON with results.version and results.results, or its JSON lines, YAML or CSV',
  recognises: async (file) => (await findPromptfooForm(file)) !== undefined,
  async read(file, { splitPrompts = false, model }): Promise<ForeignResults> {
    const readForm = await findPromptfooForm(file)
    if (!readForm) throw new InputError(`${file.name}: is not output of promptfoo`)
    const { version, timestamp, promptfoo, description, rows } = await readForm(file)
    checkVersion(version, file.name)
    rows.sort(compareRows)
    refuseTwice(rows, file.name)
    const prompts = namePrompts(rows)
    const time = timestamp === undefined ? Number.NaN : Date.parse(timestamp)
    const isModelUnnamed = namesNoProvider(rows)
    const warnings = [
      ...(prompts.size > 1 && !splitPrompts
        ? [
            `${file.name}: has ${prompts.size} prompts; each test counts once a prompt, and the prompts are its categories. --split-prompts compares them as contestants instead.`,
          ]
        : []),
      ...(isModelUnnamed && model === undefined
        ? [`${file.name}: has rows that do not name their provider; --model names it`]
        : []),
    ]
    return {
      format: 'promptfoo',
      tool: promptfoo === undefined ? 'promptfoo' : `promptfoo ${promptfoo}`,
      task: description ?? 'promptfoo',
      ...(Number.isNaN(time) ? {} : { startedAt: time }),
      samples: readRows(rows, { name: file.name, splitPrompts, model }),
      isModelUnnamed,
      warnings,
    }
  },
}
