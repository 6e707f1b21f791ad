import { sql, type Compilable, type RawBuilder } from 'kysely'
import type { SqlValue, Statement } from './operation.ts'

class Slot {
  readonly name: string
  constructor(name: string) {
    this.name = name
  }
}

type SlotMaker<Values> = <Name extends keyof Values & string>(name: Name) => RawBuilder<Values[Name]>

/**
 * A query compiled once, when it is first needed, with named slots where values go: compiling it for every write would cost
 * more than the write itself, and compiling all of them at the start would hold up the first request.
 */
export function compileTemplate<Values extends Record<string, SqlValue | undefined>>(
  build: (slot: SlotMaker<Values>) => Compilable,
): (values: Values) => Statement {
  const compile = () => {
    const { sql: text, parameters } = build((name) => sql`${new Slot(name)}`).compile()
    const sources = parameters.map((parameter): Slot | { value: SqlValue } =>
      parameter instanceof Slot ? parameter : { value: readConstant(parameter) },
    )
    return { text, sources }
  }
  let compiled: ReturnType<typeof compile> | undefined
  return (values) => {
    compiled ??= compile()
    return {
      sql: compiled.text,
      parameters: compiled.sources.map((source) =>
        source instanceof Slot ? (values[source.name] ?? null) : source.value,
      ),
    }
  }
}

function readConstant(value: unknown): SqlValue {
  if (
    value instanceof Uint8Array ||
    typeof value === 'string' ||
    typeof value === 'number' ||
    typeof value === 'bigint' ||
    value === null
  )
    return value
  throw new TypeError(`${String(value)} cannot stand in a statement.`)
}
