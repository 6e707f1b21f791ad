import { vendors, type ModelRequest } from '../../contract/index.ts'
import type { OptionalParameter } from './parameter-names.ts'

type Effort = NonNullable<ModelRequest['parameters']['reasoningEffort']>

/** How an OpenAI-compatible API differs from OpenAI's. */
export interface Dialect {
  /** Other names on the wire. Two parameters may share one; the later one in our list is then sent. */
  names?: Partial<Record<OptionalParameter, string>>
  /** Parameters that it does not have: they are left out without a try. */
  lacks?: readonly OptionalParameter[]
  writeEffort?(effort: Effort): unknown
  writeThinkingBudget?(tokens: number): unknown
  /** Said of a reasoning effort that is not sent as it is. */
  describeEffort?(effort: Effort): string | undefined
  /** False for servers that refuse `stream_options`; they send the usage anyway. */
  supportsStreamOptions?: boolean
  /** A router to several hosts: how one of them is chosen. */
  pinHost?(host: string): Record<string, unknown>
}

const withExtraHigh = (effort: Effort): string => (effort === 'max' ? 'xhigh' : effort)

/** There is no common field for a thinking budget. */
export const plainDialect: Dialect = { lacks: ['thinkingBudget'] }

export const dialects = {
  openai: { lacks: ['thinkingBudget', 'topK'], writeEffort: withExtraHigh },
  azure: { lacks: ['thinkingBudget', 'topK'], writeEffort: withExtraHigh },
  openrouter: {
    names: { reasoningEffort: 'reasoning', thinkingBudget: 'reasoning' },
    writeEffort: (effort) => ({ effort: withExtraHigh(effort) }),
    writeThinkingBudget: (tokens) => (tokens === 0 ? { enabled: false } : { max_tokens: tokens }),
    pinHost: (host) => ({ provider: { order: [host], only: [host], allow_fallbacks: false } }),
  },
  mistral: {
    names: { seed: 'random_seed' },
    lacks: ['thinkingBudget', 'topK'],
    supportsStreamOptions: false,
  },
  groq: { lacks: ['thinkingBudget', 'topK'] },
  deepseek: {
    names: { reasoningEffort: 'thinking' },
    lacks: ['thinkingBudget', 'topK', 'seed'],
    writeEffort: (effort) => ({ type: effort === 'none' ? 'disabled' : 'enabled' }),
    describeEffort: (effort) =>
      effort === 'none'
        ? undefined
        : `DeepSeek has no levels of reasoning effort: ${effort} was sent as thinking enabled.`,
  },
  xai: { lacks: ['thinkingBudget', 'topK'] },
  together: { lacks: ['thinkingBudget'] },
  fireworks: { lacks: ['thinkingBudget'] },
} as const satisfies Record<string, Dialect>

const byOrigin = new Map<string, Dialect>(
  vendors.flatMap((vendor) =>
    'origin' in vendor ? [[vendor.origin, dialects[vendor.name]] satisfies [string, Dialect]] : [],
  ),
)

/** The dialect of a vendor's own address, for whoever names it as a base URL. */
export function dialectOf(origin: string): Dialect | undefined {
  return (
    byOrigin.get(origin) ?? (/\.(?:openai\.azure|services\.ai\.azure)\.com$/.test(origin) ? dialects.azure : undefined)
  )
}
