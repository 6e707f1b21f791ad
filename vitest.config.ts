import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    setupFiles: ['test/property-seed.ts'],
    testTimeout: 180_000,
    hookTimeout: 180_000,
  },
})
