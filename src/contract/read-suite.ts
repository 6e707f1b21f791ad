import type { z } from 'zod'
import { suiteSchema, testCaseSchema, type Suite, type TestCase } from './suite.ts'

/** A case of a few texts and perhaps a weight, as most cases of a large suite are: to see that takes a tenth of what the schema takes. */
interface PlainCase {
  id: string
  prompt?: string
  expectedOutput?: string
  scoringMethod?: string
  weight?: number
}

interface PlainSuite {
  name: string
  description?: string
  systemPrompt?: string
  judgeSystemPrompt?: string
  testCases: PlainCase[]
}

const CASE_TEXTS = new Set(['id', 'prompt', 'expectedOutput', 'scoringMethod'])
const SUITE_TEXTS = new Set(['name', 'description', 'systemPrompt', 'judgeSystemPrompt'])

function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype
}

function isWeight(value: unknown): boolean {
  return Number.isFinite(value) && Number(value) > 0
}

function isPlainCase(raw: unknown): raw is PlainCase {
  if (!isPlainObject(raw)) return false
  for (const name of Object.keys(raw)) {
    const isFine = name === 'weight' ? isWeight(raw[name]) : CASE_TEXTS.has(name) && typeof raw[name] === 'string'
    if (!isFine) return false
  }
  return Boolean(raw['id'])
}

function isPlainSuite(raw: unknown): raw is PlainSuite {
  if (!isPlainObject(raw) || !Array.isArray(raw['testCases'])) return false
  const isText = (name: string) => SUITE_TEXTS.has(name) && typeof raw[name] === 'string'
  return (
    Object.keys(raw).every((name) => name === 'testCases' || isText(name)) &&
    Boolean(raw['name']) &&
    raw['testCases'].length > 0 &&
    raw['testCases'].every(isPlainCase)
  )
}

/** With its fields in the schema's order: what is stored must not depend on how it was read. */
function finishCase({ id, prompt, expectedOutput, scoringMethod, weight = 1 }: PlainCase): TestCase {
  return {
    id,
    ...(prompt !== undefined && { prompt }),
    ...(expectedOutput !== undefined && { expectedOutput }),
    ...(scoringMethod !== undefined && { scoringMethod }),
    weight,
  }
}

function finishPlainSuite({ name, description, systemPrompt, judgeSystemPrompt, testCases }: PlainSuite): Suite {
  return {
    name,
    ...(description !== undefined && { description }),
    ...(systemPrompt !== undefined && { systemPrompt }),
    ...(judgeSystemPrompt !== undefined && { judgeSystemPrompt }),
    testCases: testCases.map(finishCase),
  }
}

/** What the schema of a suite makes of it. */
export function readSuite(raw: unknown): z.ZodSafeParseResult<Suite> {
  return isPlainSuite(raw) ? { success: true, data: finishPlainSuite(raw) } : suiteSchema().safeParse(raw)
}

/** What the schema of a test case makes of it; throws where it is none. */
export function readTestCase(raw: unknown): TestCase {
  return isPlainCase(raw) ? finishCase(raw) : testCaseSchema().parse(raw)
}
