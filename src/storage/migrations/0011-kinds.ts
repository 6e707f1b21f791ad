import type { SqlDialect, Migration } from './migration.ts'

const comment = 'suite, page, agent, playground or imported'

/** Until then, the kind of a run was read from its names and from what its suite contained. */
const statements = (dialect: SqlDialect): string[] => [
  `ALTER TABLE runs ADD COLUMN kind text NOT NULL DEFAULT 'suite' /* ${comment} */`,
  ...(dialect === 'postgres' ? [`COMMENT ON COLUMN runs.kind IS '${comment}'`] : []),
  // In JSON, a quote inside a text is escaped, so only a key matches.
  `UPDATE runs SET kind = 'page' WHERE suite_id = 'code-arena'
    AND suite IN (SELECT hash FROM suites WHERE content LIKE '%"codeArena":{%')`,
  `UPDATE runs SET kind = 'playground'
    WHERE substr(suite_id, 1, 11) = 'playground:' AND substr(suite_name, 1, 12) = 'Playground: '`,
  `UPDATE runs SET kind = 'imported' WHERE versions LIKE '%"importedFrom":%'`,
]

export const kinds: Migration = { name: 'kinds of runs', statements }
