import fc from 'fast-check'

/** One seed for all, so that a check fails today if it fails tomorrow. `PROPERTY_SEED=5 npm test` looks elsewhere. */
fc.configureGlobal({ seed: Number(process.env['PROPERTY_SEED'] ?? 20_261_115) })
