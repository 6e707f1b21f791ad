import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

/** Rooms whose tests change nothing outside their file: files can share a worker, which saves loading the same modules again. */
const SHARED = [
  'contract',
  'statistics',
  'scoring',
  'report',
  'import',
  'stores',
  'components',
  'providers',
  'services',
  'server',
].map((room) => `src/${room}/**/*.test.ts`)

export default defineConfig({
  test: {
    projects: [
      { extends: true, test: { name: 'shared', include: SHARED, isolate: false } },
      {
        extends: true,
        test: { name: 'isolated', include: ['src/**/*.test.ts', 'test/**/*.test.ts'], exclude: SHARED },
      },
    ],
    setupFiles: ['test/property-seed.ts', 'test/isolated-environment.ts'],
    // Many tests wait for browsers, databases and timers: three workers are quicker even on two cores.
    maxWorkers: Math.max(3, availableParallelism() - 1),
    // The default of one second is too short for a busy machine.
    expect: { poll: { timeout: 20_000 } },
    testTimeout: 180_000,
    hookTimeout: 180_000,
  },
})
