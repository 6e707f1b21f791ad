import { readFile, realpath, rename, stat, writeFile } from 'node:fs/promises'
import { InputError } from '../../contract/index.ts'
import { decodeSource } from '../text/source-text.ts'
import type { ImportedSuite } from './recognise-suite.ts'
import { writeClusters } from './write-clusters.ts'

/** The cluster of each case: that of a template is named after its first case. */
export function nameClusters(templates: readonly (readonly string[])[]): Map<string, string> {
  return new Map(templates.flatMap((ids) => ids.map((id) => [id, ids[0]!])))
}

const isMarked = ([a, b, c]: Uint8Array) => a === 0xef && b === 0xbb && c === 0xbf

/** Writes clusters into the file of a suite, which stays as it is otherwise; refuses files of other formats. */
export async function keepClusters(
  file: string,
  format: ImportedSuite['format'],
  templates: readonly (readonly string[])[],
): Promise<void> {
  if (format !== 'suite')
    throw new InputError(
      `${file}: clusters are written into suites in YAML or JSON, and this is ${format === 'promptfoo' ? 'a promptfoo config' : 'a table'}; make a suite of it first: benchmaker import ${file} --out suite.yaml`,
    )
  // A link stays one, and the file keeps its permissions.
  const path = await realpath(file)
  const [bytes, { mode }] = await Promise.all([readFile(path), stat(path)])
  const written = writeClusters(decodeSource(bytes, file), file, nameClusters(templates))
  // Renamed into place: a full disk must not cost the suite.
  const draft = `${path}.${process.pid}.tmp`
  await writeFile(draft, `${isMarked(bytes) ? '\uFEFF' : ''}${written}`, { mode })
  await rename(draft, path)
}
