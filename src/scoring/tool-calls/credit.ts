import { z } from 'zod'

/** `calls`: were the expected calls made? Extras are free. `effects`: what did the agent change? Extras cost. */
export type Credit = 'calls' | 'effects'

/** `seed` is the old name of `calls`; suites, scripts and bookmarked addresses may still use it. */
export type CreditName = Credit | 'seed'

const names = ['calls', 'effects'] as const satisfies readonly Credit[]

/** Offers `calls` and `effects` in forms and JSON Schemas, and reads `seed` as `calls`. */
export const creditSchema = z
  .enum([...names, 'seed'])
  .transform((name): Credit => (name === 'seed' ? 'calls' : name))
  .meta({ enum: names })
