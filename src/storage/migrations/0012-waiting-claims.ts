import type { SqlDialect, Migration } from './migration.ts'

const comment = 'why workers leave the run alone; NULL while one can work on it'

const statements = (dialect: SqlDialect): string[] => [
  `ALTER TABLE claims ADD COLUMN waiting text /* ${comment} */`,
  ...(dialect === 'postgres' ? [`COMMENT ON COLUMN claims.waiting IS '${comment}'`] : []),
]

export const waitingClaims: Migration = { name: 'reasons why runs wait for workers', statements }
