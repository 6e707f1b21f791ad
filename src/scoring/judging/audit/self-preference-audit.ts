import { writeInterval, writePoints } from '../../../contract/index.ts'
import { measureScoreChange } from '../../../statistics/judging/score-change.ts'
import { measureSelfPreference } from '../../../statistics/judging/self-preference.ts'
import type { JudgeClient } from './judge-client.ts'
import { shuffle } from '../../../statistics/numbers/random.ts'
import { type AuditAnswer, chooseAnswers, limitTo, auditAnswerName, type AuditMaterial } from './audit-answers.ts'
import { conclude, notTested, type AuditMeasure, type PendingFinding } from './finding.ts'
import { comparedCase, gradeTwice, pairedScores, showCase } from './paired-case.ts'

/**
 * The family of a model: its vendor and the first word of its name. `openai/gpt-4o-mini@short` and `openai/gpt-5` are
 * both `openai/gpt`.
 */
export function familyOf(modelId: string): string {
  const path = modelId.toLowerCase().split('@')[0]!.split('/')
  const name = path.at(-1) ?? ''
  const word = name.match(/^\p{L}+/u)?.[0] ?? name
  return [...path.slice(0, -1), word].join('/')
}

const ANSWERS = 24

/** Stored answers of each side that a comparison needs. */
const FEWEST_OF_A_SIDE = 6

/** A short answer grows when it becomes a sentence. */
const SENTENCE_LENGTH = 80

function describeSelfPreference(
  { value, low, high }: { value: number; low: number; high: number },
  {
    subject,
    isFound,
    whyNot = 'no self-preference',
  }: { subject: string; isFound: boolean; whyNot?: string | undefined },
): string {
  if (isFound && value > 0)
    return `${subject} scored ${writePoints(value)} higher (95 % CI ${writeInterval({ low, high })}): it prefers its own.`
  if (isFound)
    return `${subject} scored ${writePoints(-value)} lower (95 % CI ${writeInterval({ low: -high, high: -low })}): it marks its own down.`
  return `${subject} scored about the same (${writePoints(value)}, 95 % CI ${writeInterval({ low, high })}): ${whyNot}.`
}

function conclusion(
  measured: { value: number; low: number; high: number; isReal: boolean; pValue: number },
  subject: string,
): AuditMeasure {
  const { value, low, high, isReal, pValue } = measured
  const figure = { name: 'its own against others’', unit: 'change' as const, value, low, high }
  return {
    isFound: isReal,
    describe: (isFound, whyNot) => describeSelfPreference(measured, { subject, isFound, whyNot }),
    figure,
    figures: [],
    pValue,
  }
}

const isGrade = (text: string) => /"(?:score|winner)"\s*:/.test(text)

function rewriteProblem(original: string, text: string): string | undefined {
  if (text === '') return 'it wrote nothing'
  if (isGrade(text) && !isGrade(original)) return 'it graded the answer instead of writing it again'
  const isFaithful = text.length >= original.length / 2 && text.length <= original.length * 2 + SENTENCE_LENGTH
  return isFaithful ? undefined : 'its version is much shorter or longer than the answer'
}

/** The same answers in the judge's own words: equal in content, so that only the author differs. */
async function auditOwnWords(material: AuditMaterial, judgeClient: JudgeClient): Promise<PendingFinding> {
  const answers = chooseAnswers(material.answers, limitTo(ANSWERS, material), material.random)
  if (answers.length === 0) return notTested('self-preference', 'there are no answers.')
  const cases = await Promise.all(
    answers.map(async (answer) => {
      const [plain, rewritten] = await Promise.all([gradeTwice(judgeClient, answer), judgeClient.rewrite(answer)])
      const text = rewritten.problem === undefined ? rewritten.text : ''
      const problem = rewritten.problem ?? rewriteProblem(answer.response, text)
      const own = problem === undefined ? await gradeTwice(judgeClient, { ...answer, response: text }) : [{ problem }]
      return comparedCase({
        id: auditAnswerName(answer),
        prompt: answer.prompt,
        before: { label: 'as it was written', text: answer.response, replies: plain },
        after: { label: 'in the judge’s own words', text, replies: own },
      })
    }),
  )
  const { used, before, after } = pairedScores(cases)
  return conclude({
    audit: 'self-preference',
    noun: 'answer',
    cases: cases.map(showCase),
    used,
    measure: () => {
      const { change: value, ...measured } = measureScoreChange(before, after)
      return conclusion({ value, ...measured }, `Its own wording of the same ${used.length} answers`)
    },
  })
}

type RatedAnswer = AuditAnswer & { expectedScore: number }

interface StoredSides {
  own: RatedAnswer[]
  others: RatedAnswer[]
}

/** Answers whose author and quality are known. */
function splitByAuthor({ answers, judgeModelId }: AuditMaterial): StoredSides {
  const known = answers.filter(
    (answer): answer is RatedAnswer =>
      answer.modelId !== undefined && answer.expectedScore !== undefined && answer.response.trim() !== '',
  )
  const isOwn = ({ modelId = '' }: AuditAnswer) => familyOf(modelId) === familyOf(judgeModelId)
  return { own: known.filter(isOwn), others: known.filter((answer) => !isOwn(answer)) }
}

/** Answers that the judge's family wrote, against others of the same rating. */
async function auditStored(
  { own, others }: StoredSides,
  material: AuditMaterial,
  judgeClient: JudgeClient,
): Promise<PendingFinding> {
  const grade = (side: 'own' | 'others', answers: RatedAnswer[]) =>
    Promise.all(
      answers.map(async (answer) => {
        const reply = await judgeClient.grade(answer)
        return {
          id: auditAnswerName(answer),
          prompt: answer.prompt,
          shown: [
            { label: `${answer.modelId}, rated ${Math.round(answer.expectedScore * 100)}`, text: answer.response },
          ],
          replies: [{ label: side === 'own' ? 'its own' : 'another’s', ...reply }],
          ...(reply.problem === undefined && { change: reply.score - answer.expectedScore }),
          supports: reply.problem === undefined && side === 'own' && reply.score > answer.expectedScore,
          scored: reply.problem === undefined ? { quality: answer.expectedScore, score: reply.score } : undefined,
        }
      }),
    )
  const size = limitTo(ANSWERS, material)
  const [mine, theirs] = await Promise.all([
    grade('own', shuffle(own, material.random).slice(0, size)),
    grade('others', shuffle(others, material.random).slice(0, size)),
  ])
  const scoresOf = (cases: typeof mine) => cases.flatMap(({ scored }) => scored ?? [])
  const all = [...mine, ...theirs]
  const measured = measureSelfPreference(scoresOf(mine), scoresOf(theirs))
  const used = all.filter(({ scored }) => scored !== undefined)
  if (!measured && used.length === all.length)
    return notTested('self-preference', 'none of its own answers has the same rating as one of another model.')
  return conclude({
    audit: 'self-preference',
    noun: 'answer',
    cases: all.map(({ scored: _scored, ...shown }) => shown),
    used: measured ? used : [],
    measure: () => {
      const { difference: value, ...figures } = measured!
      return conclusion(
        { value, ...figures },
        `Its own ${figures.own} answers, against ${figures.others} of equal rating,`,
      )
    },
  })
}

/** The judge's own answers against others' of equal quality: does the author count? */
export async function auditSelfPreference(material: AuditMaterial, judgeClient: JudgeClient): Promise<PendingFinding> {
  const sides = splitByAuthor(material)
  const isComparable = Math.min(sides.own.length, sides.others.length) >= FEWEST_OF_A_SIDE
  return isComparable ? auditStored(sides, material, judgeClient) : auditOwnWords(material, judgeClient)
}
