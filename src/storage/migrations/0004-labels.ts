import { runWords, readOptionalText } from '../sql/columns.ts'
import { readInteger, readText, type Operation } from '../sql/operation.ts'
import { decodeText } from '../sql/text-codec.ts'
import type { SqlDialect, Migration } from './migration.ts'

const columns = {
  name: 'what people call the run or its series',
  tags: 'JSON: list of tags',
  note: 'what people wrote about it',
  run_words: 'id, series, suite and models in lower case, for searching',
  label_words: 'name, note and tags in lower case, for searching',
}

const statements = (dialect: SqlDialect): string[] =>
  Object.entries(columns).flatMap(([column, comment]) => [
    `ALTER TABLE runs ADD COLUMN ${column} text /* ${comment} */`,
    ...(dialect === 'postgres' ? [`COMMENT ON COLUMN runs.${column} IS '${comment}'`] : []),
  ])

/** A list edited by hand must not stop the whole database from opening. */
function parseModels(text: unknown): string[] {
  try {
    const value: unknown = JSON.parse(readText(text))
    return Array.isArray(value) ? value.map(String) : []
  } catch {
    return []
  }
}

const readColumn = (value: unknown) => readOptionalText(typeof value === 'string' ? value : null)

/** Earlier runs can be searched too. */
function* fillWords(dialect: SqlDialect): Operation<void> {
  const [first, second] = dialect === 'sqlite' ? ['?', '?'] : ['$1', '$2']
  const { rows } = yield {
    sql: 'SELECT number, id, series_id, suite_id, suite_name, models FROM runs',
    parameters: [],
  }
  for (const row of rows) {
    const words = runWords({
      id: decodeText(readText(row['id'])),
      seriesId: readColumn(row['series_id']),
      testSuiteId: readColumn(row['suite_id']),
      testSuiteName: readColumn(row['suite_name']),
      models: parseModels(row['models']),
    })
    yield {
      sql: `UPDATE runs SET run_words = ${first} WHERE number = ${second}`,
      parameters: [words, readInteger(row['number'])],
    }
  }
}

export const labels: Migration = { name: 'names, tags and notes of runs', statements, fill: fillWords }
