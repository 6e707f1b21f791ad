import { listWords, auditNames, type AuditName, writeInterval, writePoints } from '../../../contract/index.ts'
import { createRandom, shuffle } from '../../../statistics/numbers/random.ts'
import { createJudgeClient, type JudgeClient, type JudgeClientTools } from './judge-client.ts'
import {
  builtInAuditAnswers,
  type AuditAnswer,
  type AuditMaterial,
  chooseAnswers,
  limitTo,
  auditAnswerName,
} from './audit-answers.ts'
import { auditCanaries } from './canary-audit.ts'
import { type AuditFinding, conclude, notTested, type PendingFinding } from './finding.ts'
import { auditPosition } from './position.ts'
import { auditSelfPreference } from './self-preference-audit.ts'
import { auditTestRetest } from './test-retest.ts'
import { measureScoreChange, type ScoreChange } from '../../../statistics/judging/score-change.ts'
import { adjustHolm } from '../../../statistics/tests/holm.ts'
import { comparedCase, gradeTwice, pairedScores, showCase } from './paired-case.ts'

/** Sentences that say nothing about any subject. */
const FILLER = [
  'Thank you for asking such an interesting question.',
  'I am happy to share my thoughts on this topic.',
  'It is a subject that many people wonder about.',
  'Let me explain my reasoning with care.',
  'I have looked at the matter from several angles.',
  'To summarise what I wrote, my answer stands as given.',
  'There is plenty to say about it, and experts have written about it at length.',
  'As stated earlier, the above is my answer to the question.',
  'I hope that this response is helpful and clear.',
  'Please feel free to ask for further detail.',
  'All things considered, my answer remains what I said.',
  'In my view, this is a fair description of the matter.',
  'It is always worth taking a moment to think about such questions.',
  'With that in mind, I am confident about what I wrote.',
]

const FEWEST_WORDS = 60
const MOST_WORDS = 300

/** The same answer between sentences that say nothing: at least 60 words, and as many as the answer has, up to 300. */
export function padAnswer(answer: string, random: () => number): string {
  const wanted = Math.min(MOST_WORDS, Math.max(FEWEST_WORDS, listWords(answer).length))
  const sentences: string[] = []
  let words = 0
  while (words < wanted) {
    for (const sentence of shuffle(FILLER, random)) {
      if (words >= wanted) break
      sentences.push(sentence)
      words += listWords(sentence).length
    }
  }
  const before = Math.floor(sentences.length / 3)
  return `${sentences.slice(0, before).join(' ')}\n\n${answer}\n\n${sentences.slice(before).join(' ')}`
}

const ANSWERS = 24

function describeLengthEffect(
  { n, change, low, high, raised, lowered }: ScoreChange,
  isFound: boolean,
  whyNot = 'no effect of length',
): string {
  if (isFound && change > 0)
    return `Padding raised its scores by ${writePoints(change)} (95 % CI ${writeInterval({ low, high })}): it rewards length.`
  if (isFound)
    return `Padding lowered its scores by ${writePoints(-change)} (95 % CI ${writeInterval({ low: -high, high: -low })}): it marks length down.`
  if (raised + lowered === 0) return `Padding changed none of its ${n} scores.`
  return `Padding raised ${raised} and lowered ${lowered} of its ${n} scores (mean change ${writePoints(change)}, 95 % CI ${writeInterval({ low, high })}): ${whyNot}.`
}

/** The same answers with words that say nothing: does length pay? */
async function auditVerbosity(material: AuditMaterial, judgeClient: JudgeClient): Promise<PendingFinding> {
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
        id: auditAnswerName(answer),
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
      return {
        isFound: isReal,
        describe: (isFound, whyNot) => describeLengthEffect(measured, isFound, whyNot),
        figure,
        figures: [],
        pValue,
      }
    },
  })
}

const AUDITS: Record<AuditName, (material: AuditMaterial, judgeClient: JudgeClient) => Promise<PendingFinding>> = {
  'test-retest': auditTestRetest,
  position: auditPosition,
  verbosity: auditVerbosity,
  'self-preference': auditSelfPreference,
  canaries: auditCanaries,
}

export interface AuditDesign {
  /** The built-in ones by default. */
  answers?: readonly AuditAnswer[] | undefined
  /** All by default. */
  only?: readonly AuditName[] | undefined
  /** At most this many answers, pairs or questions for each audit. */
  limit?: number | undefined
  /** The same seed draws the same answers. Default 1. */
  seed?: number | undefined
}

/** Holm's correction over the audits with a test. */
function concludeAll(pending: readonly PendingFinding[]): AuditFinding[] {
  const adjusted = adjustHolm(pending.map(({ pValue = Number.NaN }) => pValue))
  return pending.map(({ conclude: finish }, index) => {
    const adjustedP = adjusted[index]!
    return Number.isNaN(adjustedP) ? finish() : finish(adjustedP)
  })
}

/**
 * Runs the audits one after another, so that one that is stopped leaves the earlier ones complete. What is found is
 * corrected for the audits so far, and may no longer be found after the next.
 */
export async function runAudits(
  { answers = builtInAuditAnswers, only = auditNames, limit, seed = 1 }: AuditDesign,
  tools: JudgeClientTools & { onFindings?: ((findings: AuditFinding[]) => void) | undefined },
): Promise<AuditFinding[]> {
  const judgeClient = createJudgeClient(tools)
  const pending: PendingFinding[] = []
  for (const name of auditNames.filter((audit) => only.includes(audit))) {
    const random = createRandom(`${seed} ${name}`)
    pending.push(await AUDITS[name]({ judgeModelId: tools.judgeModelId, answers, limit, random }, judgeClient))
    tools.onFindings?.(concludeAll(pending))
  }
  return concludeAll(pending)
}
