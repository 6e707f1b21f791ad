import { writeInterval, writePoints } from '../../../contract/index.ts'
import { oneWayIcc } from '../../../statistics/agreement/one-way-icc.ts'
import { measureTestRetest } from '../../../statistics/judging/test-retest.ts'
import type { JudgeClient } from './judge-client.ts'
import { chooseAnswers, limitTo, auditAnswerName, type AuditMaterial } from './audit-answers.ts'
import {
  conclude,
  notTested,
  type AuditCase,
  type AuditFigure,
  type AuditReply,
  type PendingFinding,
} from './finding.ts'

const ANSWERS = 24
const TIMES = 3

/** A standard deviation of 3 points: about a quarter of the answers are one grade off in one of three scores. */
const STEADY = 0.03

const listScores = (replies: readonly AuditReply[]) =>
  replies.flatMap(({ score }) => (score === undefined ? [] : [score]))

function measure(used: readonly AuditCase[]) {
  const scores = used.map(({ replies }) => listScores(replies))
  const { stdDev, low, high, changed, shareChanged, changedLow, changedHigh } = measureTestRetest(scores)
  const isFound = low > STEADY
  const spread = `a standard deviation of ${writePoints(stdDev)} (95 % CI ${writeInterval({ low, high })})`
  const describe = (found: boolean) =>
    changed === 0
      ? `Asked ${TIMES} times, it gave each of ${used.length} answers the same score every time.`
      : `Asked ${TIMES} times, it changed its score of ${changed} of ${used.length} answers, with ${spread}: ${
          found ? 'a single score is not reliable.' : 'it is steady enough.'
        }`
  return {
    isFound,
    describe,
    figure: { name: 'standard deviation', unit: 'points' as const, value: stdDev, low, high },
    figures: [
      {
        name: 'answers whose score changed',
        unit: 'share' as const,
        value: shareChanged,
        low: changedLow,
        high: changedHigh,
      },
      ...iccFigures(scores),
    ],
  }
}

function iccFigures(scores: readonly number[][]): AuditFigure[] {
  const whole = scores.filter((row) => row.length === TIMES)
  if (whole.length < 2) return []
  const { icc, low, high } = oneWayIcc(whole)
  return Number.isNaN(icc) ? [] : [{ name: 'ICC(1,1)', unit: 'correlation', value: icc, low, high }]
}

/** The same answers again and again: does the judge agree with itself? */
export async function auditTestRetest(material: AuditMaterial, judgeClient: JudgeClient): Promise<PendingFinding> {
  const answers = chooseAnswers(material.answers, limitTo(ANSWERS, material), material.random)
  if (answers.length === 0) return notTested('test-retest', 'there are no answers.')
  const cases = await Promise.all(
    answers.map(async (answer): Promise<AuditCase> => {
      const replies = await Promise.all(
        Array.from({ length: TIMES }, async (_, index) => ({
          label: `time ${index + 1}`,
          ...(await judgeClient.grade(answer, String(index + 1))),
        })),
      )
      const scores = listScores(replies)
      const change = scores.length < 2 ? undefined : Math.max(...scores) - Math.min(...scores)
      return {
        id: auditAnswerName(answer),
        prompt: answer.prompt,
        shown: [{ label: 'answer', text: answer.response }],
        replies,
        ...(change !== undefined && { change }),
        supports: change !== undefined && change > 0,
      }
    }),
  )
  const used = cases.filter(({ replies }) => listScores(replies).length >= 2)
  return conclude({ audit: 'test-retest', noun: 'answer', cases, used, measure: () => measure(used) })
}
