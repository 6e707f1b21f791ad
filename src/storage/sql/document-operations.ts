import { InputError, VersionConflict, type DocumentKind, type StoredDocument } from '../../contract/index.ts'
import { checkId, quoteId } from './check-arguments.ts'
import { readJson } from './columns.ts'
import type { SqlDialect } from '../migrations/data-definition.ts'
import { changesOf, rowsOf, type Operation, type Statement } from './operation.ts'
import type { TableReader } from './schema.ts'
import { decodeText, encodeText } from './text-codec.ts'

type Names = { kind: string; id: string }

/** Writers of the same document wait for each other here; SQLite allows one writer at a time anyway. */
const lockStatements: Record<SqlDialect, (names: Names) => Statement[]> = {
  sqlite: () => [],
  postgres: ({ kind, id }) => [
    { sql: 'SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', parameters: [JSON.stringify([kind, id])] },
  ],
}

/** Versioned documents, stored alongside runs. A version never changes. */
export class DocumentOperations {
  readonly #db: TableReader
  readonly #dialect: SqlDialect
  readonly #now: () => number

  constructor({ db, dialect, now }: { db: TableReader; dialect: SqlDialect; now: () => number }) {
    this.#db = db
    this.#dialect = dialect
    this.#now = now
  }

  *save(
    document: { kind: DocumentKind; id: string; content: unknown },
    { after }: { after?: number } = {},
  ): Operation<StoredDocument> {
    const { kind, id } = document
    const names = { kind: checkId(kind, 'kind of the document'), id: checkId(id, 'id of the document') }
    if (after !== undefined && !(Number.isSafeInteger(after) && after >= 0))
      throw new InputError(
        `${after} is not a version of ${describeDocument(document)}: versions start at 1, and 0 means a new document.`,
      )
    const content = toJson(document)
    yield* this.#lock(names)
    const [newest] = yield* rowsOf(
      this.#db
        .selectFrom('documents')
        .where('kind', '=', names.kind)
        .where('id', '=', names.id)
        .select((eb) => eb.fn.max('version').as('version')),
    )
    const current = newest?.version ?? 0
    if (after !== undefined && after !== current) throw conflictOf(document, after, current)
    const version = current + 1
    const savedAt = this.#now()
    yield* changesOf(this.#db.insertInto('documents').values({ ...names, version, saved_at: savedAt, content }))
    return { kind, id, version, savedAt, content: JSON.parse(content) }
  }

  *delete(kind: DocumentKind, id: string): Operation<boolean> {
    const names = { kind: encodeText(kind), id: encodeText(id) }
    yield* this.#lock(names)
    const changes = yield* changesOf(
      this.#db.deleteFrom('documents').where('kind', '=', names.kind).where('id', '=', names.id),
    )
    return changes > 0
  }

  async load(kind: DocumentKind, id: string, version?: number): Promise<StoredDocument | undefined> {
    if (version !== undefined && !Number.isSafeInteger(version)) return undefined
    let query = this.#db.selectFrom('documents').where('kind', '=', encodeText(kind)).where('id', '=', encodeText(id))
    if (version !== undefined) query = query.where('version', '=', version)
    const row = await query
      .select(['id', 'version', 'saved_at', 'content'])
      .orderBy('version', 'desc')
      .limit(1)
      .executeTakeFirst()
    return row && readDocument(kind, row)
  }

  async list(kind: DocumentKind): Promise<StoredDocument[]> {
    const rows = await this.#db
      .selectFrom('documents')
      .where('kind', '=', encodeText(kind))
      .where('version', '=', (eb) =>
        eb
          .selectFrom('documents as other')
          .whereRef('other.kind', '=', 'documents.kind')
          .whereRef('other.id', '=', 'documents.id')
          .select((inner) => inner.fn.max('other.version').as('newest')),
      )
      .select(['id', 'version', 'saved_at', 'content'])
      .orderBy('saved_at', 'desc')
      .orderBy('number', 'desc')
      .execute()
    return rows.map((row) => readDocument(kind, row))
  }

  async versions(kind: DocumentKind, id: string): Promise<Omit<StoredDocument, 'content'>[]> {
    const rows = await this.#db
      .selectFrom('documents')
      .where('kind', '=', encodeText(kind))
      .where('id', '=', encodeText(id))
      .select(['version', 'saved_at'])
      .orderBy('version', 'desc')
      .execute()
    return rows.map((row) => ({ kind, id, version: row.version, savedAt: row.saved_at }))
  }

  *#lock(names: Names): Operation<void> {
    for (const statement of lockStatements[this.#dialect](names)) yield statement
  }
}

const describeDocument = ({ kind, id }: { kind: string; id: string }) => `the ${kind.slice(0, 80)} ${quoteId(id)}`

function conflictOf(document: Names, after: number, current: number): VersionConflict {
  const actual = current === 0 ? 'it does not exist (any more)' : `it is now at version ${current}`
  const expected = after === 0 ? 'a new document' : `version ${after}`
  return new VersionConflict(
    `Saving ${describeDocument(document)} expected ${expected}, but ${actual}: reload it and repeat the change. Nothing was written.`,
    current,
  )
}

function toJson(document: Names & { content: unknown }): string {
  const refuse = (reason: string, cause?: unknown): never => {
    throw new InputError(
      `The content of ${describeDocument(document)} is not plain JSON (${reason}): use only strings, numbers, lists and objects.`,
      { cause },
    )
  }
  let json: string | undefined
  try {
    json = JSON.stringify(document.content)
  } catch (cause) {
    return refuse(cause instanceof Error ? (cause.message.split('\n')[0] ?? '') : String(cause), cause)
  }
  return json ?? refuse(`it is ${typeof document.content}`)
}

function readDocument(
  kind: DocumentKind,
  row: { id: string; version: number; saved_at: number; content: string },
): StoredDocument {
  const id = decodeText(row.id)
  const content = readJson<unknown>(row.content, `Version ${row.version} of ${describeDocument({ kind, id })}`)
  return { kind, id, version: row.version, savedAt: row.saved_at, content }
}
