import { sql } from 'kysely'
import type { Artifact, CellKey } from '../../../contract/index.ts'
import type { TableReader } from '../schema.ts'
import { decodeText, encodeText } from '../text-codec.ts'

const ofCell = (db: TableReader, { runId, testCaseId, modelId }: CellKey) =>
  db
    .selectFrom('artifacts')
    .innerJoin('cells', 'cells.id', 'artifacts.cell')
    .innerJoin('runs', 'runs.number', 'cells.run')
    .where('runs.id', '=', encodeText(runId))
    .where('cells.case_id', '=', encodeText(testCaseId))
    .where('cells.model_id', '=', encodeText(modelId))

/** Sorted by name here, because the databases collate differently. */
export async function listArtifacts(
  db: TableReader,
  cell: CellKey,
): Promise<(Omit<Artifact, 'content'> & { size: number })[]> {
  const rows = await ofCell(db, cell)
    .select(['artifacts.name', 'artifacts.media_type', sql<number>`length(artifacts.content)`.as('size')])
    .execute()
  return rows
    .map((row) => ({ name: decodeText(row.name), mediaType: decodeText(row.media_type), size: row.size }))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
}

export async function loadArtifact(db: TableReader, cell: CellKey, name: string): Promise<Artifact | undefined> {
  const row = await ofCell(db, cell)
    .where('artifacts.name', '=', encodeText(name))
    .select(['artifacts.media_type', 'artifacts.content'])
    .executeTakeFirst()
  if (!row) return undefined
  // PostgreSQL's driver returns a Buffer.
  const { buffer, byteOffset, byteLength } = row.content
  return { name, mediaType: decodeText(row.media_type), content: new Uint8Array(buffer, byteOffset, byteLength) }
}
