import { availableParallelism, totalmem } from 'node:os'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Larger files first, as usual, but before them a small one that runs hundreds of tests: it would be waited for alone. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLong = ({ moduleId }: TestSpecification) => moduleId.endsWith('/storage-contract.test.ts')
    const sorted = await super.sort(files)
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))]
  }
}

/** What `npm run test:long` runs again, with all seeds, kinds and sizes (test/scaled.ts). */
const scaledTests = [
  'test/agent-processes.test.ts',
  'test/engine-simulation.test.ts',
  'test/deciding-simulation.test.ts',
  'test/rating-coverage.test.ts',
  'test/large-imports.test.ts',
  'test/truth.test.ts',
  'test/preview/early-styles.test.ts',
  'src/import/results/import-budget.test.ts',
]

/** `*.long.test.ts` are for `npm run test:long` only. */
export default defineConfig(({ mode }) => ({
  test: {
    include: mode === 'long' ? ['{src,test}/**/*.long.test.ts', ...scaledTests] : ['{src,test}/**/*.test.ts'],
    env: { BENCHMAKER_LONG: mode === 'long' ? 'yes' : 'no' },
    exclude: mode === 'long' ? [] : ['**/*.long.test.ts'],
    setupFiles: ['test/property-seed.ts', 'test/isolated-environment.ts'],
    // No test changes anything outside its file: so files share a worker, which saves loading the same modules again.
    isolate: false,
    sequence: { sequencer: LongestFirst },
    // What is built is imported as it is, and not transformed again.
    server: { deps: { external: [/\/dist\//] } },
    // Many tests wait for browsers, databases and timers: four workers are quicker even on two cores, if there is memory.
    maxWorkers: Math.max(3, Math.min(4, Math.floor(totalmem() / 2 ** 31)), availableParallelism() - 1),
    // The default of one second is too short for a busy machine; a longer one costs only tests that fail.
    expect: { poll: { timeout: 60_000 } },
    testTimeout: 180_000,
    hookTimeout: 180_000,
  },
}))
