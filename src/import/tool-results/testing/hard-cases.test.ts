import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { areaUnderCurve } from '../../../statistics/agreement/auc.ts'
import { scoreRecord, type ScoredRecord, type ToolCallRecord } from '../../../scoring/tool-calls/index.ts'
import { readToolResults } from '../read-tool-results.ts'
import { recogniseFile } from '../recognise.ts'
import { hardCases, type HardCase } from './hard-cases.ts'

let folder = ''
const records = new Map<HardCase, ToolCallRecord>()
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'hard-cases-'))
  for (const format of ['tau-bench', 'tau2-bench'] as const) {
    const cases = hardCases.filter((one) => one.format === format)
    const path = join(folder, `${format}.json`)
    const list = cases.map(({ record }) => record)
    writeFileSync(
      path,
      JSON.stringify(format === 'tau-bench' ? list : { tasks: cases.map(({ task }) => task), simulations: list }),
    )
    const file = await recogniseFile(path)
    expect(file.kind).toMatchObject({ name: format })
    let index = 0
    for await (const piece of readToolResults(file)) {
      if (piece.kind !== 'record') continue
      records.set(cases[index]!, piece.record)
      index += 1
    }
  }
})
afterAll(() => rmSync(folder, { recursive: true }))

function score(one: HardCase, change: (record: ToolCallRecord) => ToolCallRecord = (record) => record): ScoredRecord {
  return scoreRecord(change(records.get(one)!), { credit: 'effects' })
}

describe('hard cases with a known verdict', () => {
  it('are at least 40, of both verdicts', () => {
    expect(hardCases.length).toBeGreaterThanOrEqual(40)
    expect(hardCases.filter(({ isSuccess }) => isSuccess).length).toBeGreaterThan(20)
    expect(hardCases.filter(({ isSuccess }) => !isSuccess).length).toBeGreaterThan(20)
  })

  it.each(hardCases.map((one) => [one.format, one.name, one.isSuccess ? 'success' : 'failure', one] as const))(
    '%s: %s: %s',
    (_format, _name, _verdict, one) => {
      const { score: found, reasons } = score(one)
      if (one.isSuccess) expect(found, JSON.stringify(reasons)).toBe(1)
      else expect(found, JSON.stringify(reasons)).toBeLessThan(1)
    },
  )

  it('are told apart by effects credit alone', () => {
    const labels = hardCases.map(({ isSuccess }) => isSuccess)
    const by = (credit: 'calls' | 'effects') =>
      areaUnderCurve(
        hardCases.map((one) => score(one).scores![credit]),
        labels,
      )
    expect(by('effects')).toBe(1)
    expect(by('calls')).toBeLessThan(0.8)
  })
})

const anyCase = fc.constantFrom(...hardCases)
const reading = fc.constantFrom(
  { name: 'get_user_details', arguments: { user_id: 'x' }, result: '{}' },
  { name: 'search_direct_flight', arguments: { origin: 'TXL' }, result: 'Error: unknown airport' },
  { name: 'calculate', arguments: { expression: '2*3' }, result: '6' },
  { name: 'check_status_bar', arguments: {}, result: 'ok', requestor: 'user' as const },
)

function withCalls(
  record: ToolCallRecord,
  change: (calls: ToolCallRecord['calls']) => ToolCallRecord['calls'],
): ToolCallRecord {
  return record.effectCalls
    ? { ...record, effectCalls: change(record.effectCalls) }
    : { ...record, calls: change(record.calls) }
}

/** Rewrites every value inside. */
function rewrite(value: unknown, change: (scalar: unknown) => unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => rewrite(item, change))
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, rewrite(item, change)]))
  return change(value)
}

describe('effects credit does not change', () => {
  const unchanged = (one: HardCase, change: (record: ToolCallRecord) => ToolCallRecord) =>
    expect(score(one, change).score).toBeCloseTo(score(one).score!, 12)

  it('with reads that are added anywhere, once or again and again', () => {
    fc.assert(
      fc.property(
        anyCase,
        reading,
        fc.nat({ max: 20 }),
        fc.integer({ min: 1, max: 5 }),
        (one, extra, position, times) => {
          unchanged(one, (record) =>
            withCalls(record, (calls) =>
              calls.toSpliced(position % (calls.length + 1), 0, ...Array(times).fill(extra)),
            ),
          )
        },
      ),
    )
  })

  it('with the order of the expected actions, where none depends on another', () => {
    const independent = hardCases.filter(({ name }) => !/refused|only fails/.test(name))
    fc.assert(
      fc.property(fc.constantFrom(...independent), (one) => {
        unchanged(one, (record) => ({ ...record, expected: record.expected!.toReversed() }))
      }),
    )
  })

  it('with the order of calls about different things', () => {
    const independent = hardCases.filter(({ name }) => !/address|only fails|first of two|refused/.test(name))
    fc.assert(
      fc.property(fc.constantFrom(...independent), (one) => {
        unchanged(one, (record) => withCalls(record, (calls) => calls.toReversed()))
      }),
    )
  })

  it('with the order of keys', () => {
    const reversed = (given: unknown): unknown =>
      typeof given === 'object' && given !== null && !Array.isArray(given)
        ? Object.fromEntries(Object.entries(given).toReversed())
        : given
    fc.assert(
      fc.property(anyCase, (one) => {
        unchanged(one, (record) =>
          withCalls(record, (calls) => calls.map((call) => ({ ...call, arguments: reversed(call.arguments) }))),
        )
      }),
    )
  })

  it('with the spelling of numbers and dates in arguments', () => {
    const spellings = fc.constantFrom<(scalar: unknown) => unknown>(
      (scalar) => (typeof scalar === 'number' ? String(scalar) : scalar),
      (scalar) => (typeof scalar === 'number' ? scalar.toFixed(2) : scalar),
      (scalar) => (scalar === '2024-05-20' ? 'May 20, 2024' : scalar),
      (scalar) => (scalar === '2024-05-21' ? '05/21/2024' : scalar),
      (scalar) => (scalar === '1995-12-10' ? '10 December 1995' : scalar),
    )
    fc.assert(
      fc.property(anyCase, spellings, (one, spell) => {
        unchanged(one, (record) =>
          withCalls(record, (calls) => calls.map((call) => ({ ...call, arguments: rewrite(call.arguments, spell) }))),
        )
      }),
    )
  })

  it('with the words around an output, its case or its spelling as a sum of money', () => {
    const outputs = hardCases.filter((one) => records.get(one)?.outputs)
    expect(outputs.length).toBeGreaterThan(8)
    const frames = fc.constantFrom<(text: string) => string>(
      (text) => `So: ${text}`,
      (text) => `${text}\n\nIs there anything else?`,
      (text) => text.toUpperCase(),
      (text) => text.replace(/\$/g, 'USD '),
    )
    fc.assert(
      fc.property(fc.constantFrom(...outputs), frames, (one, frame) => {
        unchanged(one, (record) => ({
          ...record,
          outputs: { ...record.outputs!, said: record.outputs!.said.map(frame) },
        }))
      }),
    )
  })
})
