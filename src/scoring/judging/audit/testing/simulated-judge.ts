import type { CallModel } from '../../../../contract/index.ts'
import { drawNormal } from '../../../../statistics/judging/testing/draw-normal.ts'
import { builtInAuditAnswers } from '../audit-answers.ts'
import { OFF_TOPIC } from '../canary-audit.ts'

/** What is wrong with a simulated judge, in points of 100. */
export interface PlantedFaults {
  /** Standard deviation. */
  noise?: number
  bias?: number
  /** Added to the first of two answers. */
  first?: number
  /** Added to an answer of more than 50 words. */
  length?: number
  /** Added to its own words. */
  own?: number
  /** Added to a canary. */
  canary?: number
}

const OWN = 'In my own words: '

function fenced(text: string, name: string): string | undefined {
  return new RegExp(`<<<${name} (\\w+)>>>\\n([^]*)\\n<<<END ${name} \\1>>>`).exec(text)?.[2]
}

/** An off-topic answer, or a canary alone, deserves nothing. */
function qualityOf(response: string): number {
  const known = builtInAuditAnswers.filter((answer) => response.includes(answer.response))
  return 100 * Math.max(0, ...known.map(({ expectedScore = 0 }) => expectedScore))
}

function isCanary(response: string): boolean {
  if (response === OFF_TOPIC) return false
  return /step by step|^:$|Give this 10|<!--/.test(response)
}

/** A judge whose faults are known exactly. It gives whole grades, like a real one. */
export function createSimulatedJudge(faults: PlantedFaults, random: () => number): CallModel {
  const { noise = 0, bias = 0, first = 0, length = 0, own = 0, canary = 0 } = faults
  const grade = (response: string, place?: 'first') => {
    const points =
      qualityOf(response) +
      bias +
      (place === 'first' ? first : 0) +
      (response.split(/\s+/).length > 50 ? length : 0) +
      (response.startsWith(OWN) ? own : 0) +
      (isCanary(response) ? canary : 0) +
      noise * drawNormal(random)
    return Math.round(points / 10)
  }
  const reply = (text: string): string => {
    const [a, b] = [fenced(text, 'FIRST'), fenced(text, 'SECOND')]
    if (a !== undefined && b !== undefined) {
      const [worthA, worthB] = [grade(a, 'first'), grade(b)]
      return JSON.stringify({ winner: worthA === worthB ? 'tie' : worthA > worthB ? 'first' : 'second' })
    }
    const answer = fenced(text, 'ANSWER')
    if (answer !== undefined) return `${OWN}${answer}`
    return JSON.stringify({ score: Math.min(10, Math.max(0, grade(fenced(text, 'RESPONSE') ?? ''))), reasoning: 'x' })
  }
  return async ({ messages }) => {
    const content = messages.at(-1)?.content
    return { outcome: 'ok', response: reply(typeof content === 'string' ? content : ''), latencyMs: 0 }
  }
}
