/**
 * The import table: which room of `src/` may import which. `oxlint.config.ts` turns each row into a lint rule, and
 * `test/rooms.test.ts` plants a forbidden import in every room to show that the rule bites.
 *
 * A pure room has no clock, network, file or hidden randomness: what is impure is handed in.
 */
export interface Room {
  imports: string[]
  pure?: boolean
}

export const rooms: Record<string, Room> = {
  contract: { imports: [], pure: true },
  statistics: { imports: ['contract'], pure: true },
  scoring: { imports: ['contract', 'statistics'], pure: true },
  formats: { imports: ['contract', 'scoring', 'statistics'] },
  providers: { imports: ['contract'] },
  storage: { imports: ['contract'] },
  services: { imports: ['contract', 'scoring', 'statistics'] },
  runner: { imports: ['contract', 'scoring'] },
  stores: { imports: ['contract', 'scoring', 'statistics'] },
  cli: { imports: ['contract', 'scoring', 'statistics', 'formats', 'providers', 'storage', 'services', 'runner', 'stores'] },
}
