import type { Suite } from '../../contract/index.ts'
import { readOptionalText } from '../sql/columns.ts'
import { readInteger, readText, type Operation } from '../sql/operation.ts'
import { decodeText, encodeText } from '../sql/text-codec.ts'
import type { SqlDialect, Table, Migration } from './migration.ts'

const tables: Table[] = [
  {
    name: 'claims',
    comment: 'Who works on a run or series; renewed while the work goes on',
    columns: {
      id: { type: 'text', rule: 'PRIMARY KEY', comment: 'of the run or the series' },
      host: { type: 'text', rule: 'NOT NULL', comment: 'the machine' },
      pid: { type: 'integer', rule: 'NOT NULL', comment: 'the process' },
      token: { type: 'text', rule: 'NOT NULL', comment: 'tells two pieces of work of one process apart' },
      since: { type: 'number', rule: 'NOT NULL', comment: 'milliseconds since 1970' },
      renewed_at: { type: 'number', rule: 'NOT NULL', comment: 'milliseconds since 1970' },
    },
  },
]

const comments: Record<SqlDialect, string[]> = {
  sqlite: [],
  postgres: [
    "COMMENT ON COLUMN runs.request IS 'JSON: what was asked for, whole'",
    "COMMENT ON COLUMN runs.stop_reason IS 'budget or provider: why it did not complete'",
  ],
}

const statements = (dialect: SqlDialect): string[] => [
  'ALTER TABLE runs ADD COLUMN request text /* JSON: what was asked for, whole */',
  'ALTER TABLE runs ADD COLUMN stop_reason text /* budget or provider: why it did not complete */',
  ...comments[dialect],
]

/** Earlier versions kept the request of a web app's series, and the endpoint of a terminal's run, in separate documents. */
const SERIES = 'series:'
const ENDPOINT = 'endpoint:'

type Json = Record<string, unknown>

/** A document edited by hand must not stop the whole database from opening. */
function parseObject(text: unknown): Json {
  try {
    const value: unknown = typeof text === 'string' ? JSON.parse(text) : undefined
    return typeof value === 'object' && value !== null ? { ...value } : {}
  } catch {
    return {}
  }
}

/** The models as chosen, without the variants they ran with. */
function stripVariants(models: unknown, { variants = [] }: Partial<Suite>): string[] {
  const names = Array.isArray(models) ? models.map(String) : []
  const strip = (model: string) => {
    const variant = variants.find(({ name }) => model.endsWith(`@${name}`))
    return variant ? model.slice(0, -variant.name.length - 1) : model
  }
  return [...new Set(names.map(strip))]
}

function requestOf(row: Json, documents: Map<string, Json>): Json {
  const id = decodeText(readText(row['id']))
  const seriesId = readOptionalText(typeof row['series_id'] === 'string' ? row['series_id'] : null)
  const plan = documents.get(`${SERIES}${seriesId ?? id}`)
  const { baseUrl } = documents.get(`${ENDPOINT}${id}`) ?? {}
  const judges = typeof row['judge_model'] === 'string' ? decodeText(row['judge_model']).split(',') : []
  const suiteName = typeof row['suite_name'] === 'string' ? decodeText(row['suite_name']) : id
  const suiteId = typeof row['suite_id'] === 'string' ? decodeText(row['suite_id']) : suiteName
  const rebuilt: Json = {
    suiteId,
    models: stripVariants(JSON.parse(readText(row['models'])), parseObject(row['content'])),
    parameters: parseObject(row['parameters']),
    judgeModelIds: judges.filter((judge) => judge !== ''),
    combineJudges: 'mean',
    repeat: 1,
    concurrency: 5,
  }
  const stored = plan && parseObject(JSON.stringify(plan['request']))
  return { cache: false, ...rebuilt, ...stored, ...(typeof baseUrl === 'string' && { endpoint: baseUrl }) }
}

/** Gives runs of earlier versions the request that created them, as far as it was stored. */
function* fillRequests(dialect: SqlDialect): Operation<void> {
  const [first, second] = dialect === 'sqlite' ? ['?', '?'] : ['$1', '$2']
  const settings = yield {
    sql: "SELECT id, content, version FROM documents WHERE kind = 'settings' ORDER BY version",
    parameters: [],
  }
  const documents = new Map(
    settings.rows
      .map((row): [string, Json] => [decodeText(readText(row['id'])), parseObject(row['content'])])
      .filter(([id]) => id.startsWith(SERIES) || id.startsWith(ENDPOINT)),
  )
  const { rows } = yield {
    sql: 'SELECT runs.*, suites.content FROM runs LEFT JOIN suites ON suites.hash = runs.suite',
    parameters: [],
  }
  for (const row of rows) {
    const request = JSON.stringify(requestOf(row, documents))
    const { isBudgetUsedUp } = documents.get(`${SERIES}${decodeText(readText(row['series_id'] ?? row['id']))}`) ?? {}
    yield {
      sql: `UPDATE runs SET request = ${first} WHERE number = ${second}`,
      parameters: [request, readInteger(row['number'])],
    }
    if (isBudgetUsedUp === true && row['status'] === 'cancelled')
      yield {
        sql: `UPDATE runs SET stop_reason = 'budget' WHERE number = ${first}`,
        parameters: [readInteger(row['number'])],
      }
  }
  for (const id of documents.keys())
    yield { sql: `DELETE FROM documents WHERE kind = 'settings' AND id = ${first}`, parameters: [encodeText(id)] }
}

export const requests: Migration = { name: 'requests of runs, claims', tables, statements, fill: fillRequests }
