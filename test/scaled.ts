/** `npm run test:long` runs the files of `scaledTests` (vitest.config.ts) again, with all seeds, kinds and sizes. */
export const isLong = process.env['BENCHMAKER_LONG'] === 'yes'
