import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    setupFiles: ['test/property-seed.ts', 'test/isolated-environment.ts'],
    // Many tests wait for browsers, databases and timers: three workers are quicker even on two cores.
    maxWorkers: Math.max(3, availableParallelism() - 1),
    testTimeout: 180_000,
    hookTimeout: 180_000,
  },
})
