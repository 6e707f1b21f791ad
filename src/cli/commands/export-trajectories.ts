import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { InputError, messageOf } from '../../contract/index.ts'
import { writeAtif } from '../../import/trajectories/index.ts'
import { describeRemoved } from '../../report/words/tool-calls/removed-secrets.ts'
import { redactSecrets, type Redacted } from '../../report/sharing/redact-secrets.ts'
import { formatCount } from '../../report/words/index.ts'
import { nameTrajectory } from '../../report/words/tool-calls/trajectory-words.ts'
import { stringifyAny, type Trajectory } from '../../scoring/tool-calls/index.ts'
import { printNotice } from '../output/notice.ts'
import type { Terminal } from '../output/terminal.ts'
import { cleanText } from '../output/text-table.ts'

interface ExportOptions {
  folder: string
  keepsSecrets: boolean
}

/** Writes each run as an ATIF document, without secrets unless they are to be kept, and says what was taken out. */
export async function exportTrajectories(
  trajectories: readonly Trajectory[],
  { folder, keepsSecrets }: ExportOptions,
  terminal: Terminal,
): Promise<void> {
  const removed: Redacted<unknown>['removed'] = []
  const taken = new Set<string>()
  try {
    await mkdir(folder, { recursive: true })
    for (const trajectory of trajectories) {
      const document = writeAtif(trajectory)
      const redacted = keepsSecrets ? { value: document, removed: [] } : redactSecrets(document)
      removed.push(...redacted.removed)
      const name = chooseName(redactSecrets(nameTrajectory(trajectory)).value, taken)
      await writeFile(join(folder, `${name}.json`), stringifyAny(redacted.value), { mode: 0o600 })
    }
  } catch (error) {
    throw new InputError(`${folder}: ${messageOf(error)}`, { cause: error })
  }
  printNotice(cleanText(`${formatCount(trajectories.length, 'ATIF file')} in ${folder}.`), terminal)
  for (const sentence of keepsSecrets ? [] : describeRemoved(removed)) printNotice(cleanText(sentence), terminal)
}

/** A file name of its own. */
function chooseName(given: string, taken: Set<string>): string {
  const plain =
    given
      .replaceAll(/[^\p{L}\p{N}._-]+/gu, '_')
      .replaceAll(/^[._]+|_+$/g, '')
      .slice(0, 100) || 'run'
  let name = plain
  for (let number = 2; taken.has(name.toLowerCase()); number += 1) name = `${plain}-${number}`
  taken.add(name.toLowerCase())
  return name
}
