import { writeInterval, writePoints } from '../../../contract/index.ts'
import { measureScoreChange, type ScoreChange } from '../../../statistics/judging/score-change.ts'
import type { JudgeClient } from './judge-client.ts'
import { chooseAnswers, limitTo, nameOf, type AuditMaterial } from './choose-answers.ts'
import { conclude, notTested, type AuditFinding } from './finding.ts'
import { padAnswer } from './pad-answer.ts'
import { comparedCase, gradeTwice, pairedScores, showCase } from './paired-case.ts'

const ANSWERS = 24

function describe({ n, change, low, high, raised, lowered, isReal }: ScoreChange): string {
  if (isReal && change > 0)
    return `Padding raised its scores by ${writePoints(change)} (95 % CI ${writeInterval({ low, high })}): it rewards length.`
  if (isReal)
    return `Padding lowered its scores by ${writePoints(-change)} (95 % CI ${writeInterval({ low: -high, high: -low })}): it marks length down.`
  if (raised + lowered === 0) return `Padding changed none of its ${n} scores.`
  return `Padding raised ${raised} and lowered ${lowered} of its ${n} scores (mean change ${writePoints(change)}, 95 % CI ${writeInterval({ low, high })}): no effect of length.`
}

/** The same answers with words that say nothing: does length pay? */
export async function auditVerbosity(material: AuditMaterial, judgeClient: JudgeClient): Promise<AuditFinding> {
  const answers = chooseAnswers(material.answers, limitTo(ANSWERS, material), material.random)
  if (answers.length === 0) return notTested('verbosity', 'there are no answers.')
  const cases = await Promise.all(
    answers.map(async (answer) => {
      const padded = padAnswer(answer.response, material.random)
      const [plain, changed] = await Promise.all([
        gradeTwice(judgeClient, answer),
        gradeTwice(judgeClient, { ...answer, response: padded }),
      ])
      return comparedCase({
        id: nameOf(answer),
        prompt: answer.prompt,
        before: { label: 'as it is', text: answer.response, replies: plain },
        after: { label: 'padded', text: padded, replies: changed },
      })
    }),
  )
  const { used, before, after } = pairedScores(cases)
  return conclude({
    audit: 'verbosity',
    noun: 'answer',
    cases: cases.map(showCase),
    used,
    measure: () => {
      const measured = measureScoreChange(before, after)
      const { change: value, low, high, isReal, pValue } = measured
      const figure = { name: 'change by padding', unit: 'change' as const, value, low, high }
      return { isFound: isReal, sentence: describe(measured), figure, figures: [], pValue }
    },
  })
}
