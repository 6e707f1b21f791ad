import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createBudget } from './budget.ts'
import { toDollars, toMoney } from '../../contract/index.ts'
import { priceTokens, priceUsage } from './price.ts'

it('a million tokens at $0.15 per million cost exactly $0.15', () => {
  expect(toDollars(priceTokens(1_000_000, 0, { prompt: 0.000_000_15, completion: 0 }))).toBe(0.15)
  expect(toDollars(priceTokens(3, 7, { prompt: 0.000_002_5, completion: 0.000_01 }))).toBe(0.000_077_5)
})

it('a sum does not depend on its order', () => {
  const costs = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 2 })
  fc.assert(
    fc.property(costs, (dollars) => {
      const sum = (values: number[]) => values.map(toMoney).reduce((total, money) => total + money, 0n)
      expect(sum(dollars)).toBe(sum(dollars.toReversed()))
    }),
  )
  expect([0.1, 0.2].map(toMoney).reduce((total, money) => total + money, 0n)).toBe(toMoney(0.3))
})

it('a budget counts what is spent and what is in progress', async () => {
  const budget = createBudget(1)
  await expect(budget.reserve(toMoney(1.1))).rejects.toThrow(/budget of 1 dollars/)
  const first = await budget.reserve(toMoney(0.6))
  const waiting = budget.reserve(toMoney(0.5))
  const hopeless = budget.reserve(toMoney(0.7))
  expect(await Promise.race([waiting, hopeless, Promise.resolve('both are waiting')])).toBe('both are waiting')
  first.spend(toMoney(0.4))
  first.release()
  first.release()
  await expect(hopeless).rejects.toThrow(/budget/)
  const second = await waiting
  second.spend(undefined)
  second.release()
  await expect(budget.reserve(toMoney(0.2))).rejects.toThrow(/budget/)
  expect(budget.total()).toEqual({ spent: toMoney(0.4), assumed: toMoney(0.5) })
})

it('a budget is never exceeded and no request waits forever, whatever is reserved and spent', async () => {
  const request = fc.record({
    estimate: fc.integer({ min: 1, max: 60 }),
    share: fc.double({ min: 0, max: 1, noNaN: true }),
    turns: fc.integer({ min: 0, max: 5 }),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(request, { maxLength: 30 }), async (requests) => {
      const budget = createBudget(1)
      let committed = 0n
      const send = async ({ estimate, share, turns }: (typeof requests)[number]) => {
        const maximum = toMoney(estimate / 100)
        const reservation = await budget.reserve(maximum)
        committed += maximum
        expect(committed).toBeLessThanOrEqual(toMoney(1))
        for (let turn = 0; turn < turns; turn++) await Promise.resolve()
        const cost = toMoney((estimate / 100) * share)
        committed += cost - maximum
        reservation.spend(cost)
        reservation.release()
        return true
      }
      const sent = await Promise.allSettled(requests.map(send))
      for (const { status, ...rest } of sent)
        if (status === 'rejected') expect(rest).toMatchObject({ reason: { name: 'BudgetReached' } })
      expect(budget.total().spent).toBe(committed)
    }),
  )
})

const perMillion = (dollars: number) => Number((dollars / 1e6).toPrecision(15))

describe('tokens that vendors price apart', () => {
  it('Gemini 2.5 Pro: the tier of the prompt prices the whole request, one request at a time', () => {
    // ai.google.dev/gemini-api/docs/pricing: $1.25 and $10 a million for prompts up to 200,000 tokens, above that $2.50 and $15.
    const above = { above: 200_000, prompt: perMillion(2.5), completion: perMillion(15) }
    const price = { prompt: perMillion(1.25), completion: perMillion(10), tiers: [above] }
    expect(toDollars(priceUsage({ promptTokens: 200_000, completionTokens: 1000 }, price))).toBe(0.26)
    expect(toDollars(priceUsage({ promptTokens: 200_001, completionTokens: 1000 }, price))).toBe(0.515_002_5)
    expect(toDollars(priceTokens(300_000, 1000, price))).toBe(0.765)
  })
  it('reasoning tokens have their own price where a router lists one', () => {
    const price = { prompt: perMillion(1), completion: perMillion(10), reasoning: perMillion(3) }
    const usage = { promptTokens: 0, completionTokens: 300, tokenDetails: { reasoning: 200 } }
    expect(toDollars(priceUsage(usage, price))).toBe(0.0016)
  })
  it('OpenAI: cached tokens are part of the prompt, reasoning tokens part of the completion', () => {
    // developers.openai.com/api/docs/guides/prompt-caching: prompt_tokens 2006 of which cached_tokens 1920, completion_tokens
    // 300; GPT-4o at $2.50, $1.25 cached and $10 a million: 86 × 2.5 + 1920 × 1.25 + 300 × 10 = 5,615 millionths.
    const price = { prompt: perMillion(2.5), cachedPrompt: perMillion(1.25), completion: perMillion(10) }
    const usage = { promptTokens: 2006, completionTokens: 300, tokenDetails: { cachedPrompt: 1920, reasoning: 256 } }
    expect(toDollars(priceUsage(usage, price))).toBe(0.005_615)
    expect(toDollars(priceUsage({ ...usage, tokenDetails: {} }, price))).toBe(0.008_015)
  })
  it('Anthropic: reads at a tenth, writes at 1.25 × for five minutes and 2 × for an hour', () => {
    // platform.claude.com/docs/en/build-with-claude/prompt-caching: cache_read 1800, cache_creation 248 of which 148 for five
    // minutes and 100 for an hour, input 2048 apart from them, output 503; Sonnet at $3, $0.30 read, $15:
    // 2048 × 3 + 1800 × .3 + 148 × 3.75 + 100 × 6 + 503 × 15 = 15,384 millionths.
    const price = { prompt: perMillion(3), cachedPrompt: perMillion(0.3), completion: perMillion(15) }
    const tokenDetails = { cachedPrompt: 1800, cacheWrite: 148, cacheWriteHour: 100 }
    const usage = { promptTokens: 2048 + 1800 + 248, completionTokens: 503, tokenDetails }
    expect(toDollars(priceUsage(usage, price))).toBe(0.015_384)
    expect(toDollars(priceUsage(usage, { ...price, cacheWrite: perMillion(3.75) }))).toBe(0.015_384)
  })
  it('without a price of their own, tokens from the cache cost what others cost', () => {
    const usage = { promptTokens: 100, completionTokens: 0, tokenDetails: { cachedPrompt: 40 } }
    expect(priceUsage(usage, { prompt: 1e-6, completion: 0 })).toBe(
      priceTokens(100, 0, { prompt: 1e-6, completion: 0 }),
    )
  })
  it('never costs less than nothing: each token is priced once', () => {
    fc.assert(
      fc.property(fc.nat(1e6), fc.nat(1e6), fc.nat(1e6), fc.nat(1e6), fc.nat(1e6), (rest, read, write, hour, out) => {
        const usage = {
          promptTokens: rest + read + write + hour,
          completionTokens: out,
          tokenDetails: { cachedPrompt: read, cacheWrite: write, cacheWriteHour: hour, reasoning: out },
        }
        const same = { prompt: 2e-6, cachedPrompt: 2e-6, cacheWrite: 2.5e-6, completion: 8e-6 }
        const expected = BigInt(2e6 * (rest + read)) + BigInt(2.5e6 * write) + BigInt(4e6 * hour) + BigInt(8e6 * out)
        expect(priceUsage(usage, same)).toBe(expected)
      }),
    )
  })
})
