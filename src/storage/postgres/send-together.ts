import pg from 'pg'
import type { Statement, StatementResult } from '../sql/operation.ts'

/**
 * Runs statements one after the other, in one round trip: pg alone would wait for each reply. After the first that
 * fails, none is run, and the connection must be closed: pg may believe that it has prepared the others.
 */
export function sendTogether(
  client: pg.PoolClient,
  statements: Statement[],
  options: { query_timeout?: number },
): Promise<StatementResult[]> {
  const queries = statements.map(toQuery)
  return new Promise((resolve, reject) => {
    const replies = new pg.Query('', (error, results) => {
      if (error) reject(error)
      // Several statements have several results, which pg's types leave out.
      else resolve([results].flat().map(({ rows, rowCount }) => ({ rows, changes: rowCount ?? 0 })))
    })
    replies.submit = (connection) => {
      const withoutSync: pg.Connection = Object.create(connection, { sync: { value: () => {} } })
      connection.stream.cork()
      for (const query of queries) query.submit(withoutSync)
      connection.sync()
      connection.stream.uncork()
    }
    client.query(Object.assign(replies, options))
  })
}

function toQuery({ name, sql, parameters }: Statement): pg.Query {
  // pg's types leave the mode out. The simple one would end the round trip at every statement.
  const query = { ...(name !== undefined && { name }), text: sql, values: [...parameters], queryMode: 'extended' }
  return new pg.Query(query)
}
