/**
 * The import table: which room of `src/` may import which. `oxlint.config.ts` turns each row into a lint rule, and
 * `test/rooms.test.ts` plants a forbidden import in every room to prove that the rule works.
 *
 * A pure room has no clock, network, files or hidden randomness: it gets impure functions as arguments.
 */
export interface Room {
  imports: string[]
  /** Rooms from which only types may be imported. */
  types?: string[]
  pure?: boolean
}

export const rooms: Record<string, Room> = {
  contract: { imports: [], pure: true },
  statistics: { imports: ['contract'], pure: true },
  scoring: { imports: ['contract', 'statistics'], pure: true },
  report: { imports: ['contract', 'scoring', 'statistics'], pure: true },
  import: { imports: ['contract', 'scoring'] },
  providers: { imports: ['contract'] },
  storage: { imports: ['contract'] },
  settings: { imports: ['contract'] },
  access: { imports: ['contract'] },
  preview: { imports: ['contract'] },
  services: { imports: ['contract', 'scoring', 'statistics'] },
  runner: { imports: ['contract', 'scoring'] },
  operations: { imports: ['contract', 'services'] },
  server: {
    imports: [
      'contract',
      'scoring',
      'statistics',
      'report',
      'import',
      'providers',
      'storage',
      'settings',
      'access',
      'preview',
      'services',
      'runner',
      'operations',
    ],
  },
  stores: { imports: ['contract', 'scoring', 'statistics'], types: ['server'] },
  library: {
    imports: [
      'contract',
      'scoring',
      'statistics',
      'report',
      'import',
      'providers',
      'storage',
      'services',
      'runner',
      'stores',
    ],
  },
  components: { imports: ['contract', 'stores', 'statistics', 'report'], types: ['server'] },
  cli: {
    imports: [
      'contract',
      'scoring',
      'statistics',
      'report',
      'import',
      'providers',
      'storage',
      'settings',
      'access',
      'preview',
      'services',
      'runner',
      'operations',
      'server',
      'stores',
    ],
  },
}
