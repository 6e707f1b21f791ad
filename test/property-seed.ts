import fc from 'fast-check'

/** One seed for all property tests, so that they are reproducible. `PROPERTY_SEED=5 npm test` tries another. */
fc.configureGlobal({ seed: Number(process.env['PROPERTY_SEED'] ?? 20_261_115) })
