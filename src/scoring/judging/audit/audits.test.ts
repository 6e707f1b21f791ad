import { describe, expect, it } from 'vitest'
import { ClientError, type CallModel, type AuditName, type ModelRequest } from '../../../contract/index.ts'
import { createRandom, hashText } from '../../../statistics/numbers/random.ts'
import { adjustHolm } from '../../../statistics/tests/holm.ts'
import { runAudits, type AuditDesign } from './audits.ts'
import type { AuditFinding } from './finding.ts'
import { createSimulatedJudge, type PlantedFaults } from './testing/simulated-judge.ts'

const TRIALS = 20

async function audit(
  callModel: CallModel,
  design: AuditDesign = {},
  judgeModelId = 'acme/judge-1',
): Promise<AuditFinding[]> {
  return runAudits(design, { judgeModelId, callModel, random: createRandom('marks') })
}

async function auditOne(name: AuditName, callModel: CallModel, design: AuditDesign = {}): Promise<AuditFinding> {
  const [finding] = await audit(callModel, { ...design, only: [name] })
  return finding!
}

const judgeWith = (faults: PlantedFaults, seed = 'judge') => createSimulatedJudge(faults, createRandom(seed))

/** In how many of the trials the audit finds something. bench/judging/audits.ts repeats this with 1,000 trials. */
async function countFound(name: AuditName, faults: PlantedFaults): Promise<number> {
  let found = 0
  for (let trial = 0; trial < TRIALS; trial++) {
    const { status } = await auditOne(name, judgeWith(faults, `${name} ${trial}`), { seed: trial })
    if (status === 'found') found++
  }
  return found
}

const unreadable: () => ReturnType<CallModel> = async () => ({ outcome: 'ok', response: '?', latencyMs: 0 })

/** Without the mark, which is drawn anew for each request. */
function contentOf({ messages }: ModelRequest): string {
  return String(messages.at(-1)?.content).replaceAll(/ \w+>>>/g, '>>>')
}

const isOneInFour = (request: ModelRequest) => hashText(contentOf(request)) % 4 === 0

const planted: [AuditName, PlantedFaults][] = [
  ['test-retest', { noise: 10 }],
  ['position', { first: 10, noise: 7 }],
  ['verbosity', { length: 10, noise: 10 }],
  ['self-preference', { own: 10, noise: 10 }],
  ['canaries', { canary: 10, noise: 7 }],
]

describe.each(planted)('%s', (name, faults) => {
  it('finds 10 points in at least 9 of 10 trials, in a noisy judge', async () => {
    expect(await countFound(name, faults)).toBeGreaterThanOrEqual(0.9 * TRIALS)
  })

  it('finds nothing in a fair judge, and in a noisy one hardly ever', async () => {
    expect(await auditOne(name, judgeWith({}))).toMatchObject({ status: 'not-found' })
    expect(await auditOne(name, judgeWith({ bias: 10 }))).toMatchObject({ status: 'not-found' })
    const noise = name === 'test-retest' ? 2 : 10
    expect(await countFound(name, { noise })).toBeLessThanOrEqual(0.15 * TRIALS)
  })

  it('has a figure within its interval, and the cases behind it', async () => {
    const finding = await auditOne(name, judgeWith(faults))
    const { low, value, high } = finding.figure!
    expect(low <= value && value <= high).toBe(true)
    expect(finding.cases).toHaveLength(finding.planned)
    expect(finding.used).toBe(finding.planned)
    expect(finding.cases[0]!.supports).toBe(true)
    for (const { shown, replies } of finding.cases) {
      expect(shown.every(({ text }) => text !== '')).toBe(true)
      expect(replies.every(({ score, winner }) => score !== undefined || winner !== undefined)).toBe(true)
    }
  })

  it('is not tested, rather than fine, if the judge cannot be read or reached', async () => {
    const mute: CallModel = async () => ({ outcome: 'ok', response: 'I would rather not say.', latencyMs: 0 })
    const unread = await auditOne(name, mute)
    expect(unread).toMatchObject({ status: 'not-tested', used: 0 })
    expect(unread.sentence).toContain('no usable reply')
    expect(unread).not.toHaveProperty('figure')
    const unreachable: CallModel = async () => {
      throw new ClientError('refused', 'no credit left', { status: 402 })
    }
    expect((await auditOne(name, unreachable)).sentence).toContain('no credit left')
  })

  it('is not tested if only some replies could be read and they show nothing', async () => {
    const fair = judgeWith({})
    const mumbling: CallModel = (request) => (isOneInFour(request) ? fair(request) : unreadable())
    const finding = await auditOne(name, mumbling)
    expect(finding.status).toBe('not-tested')
  })

  it('is not tested with too few answers, and says so', async () => {
    const answers = [{ prompt: 'Why?', response: 'Because.' }]
    const { status, sentence } = await auditOne(name, judgeWith({}), { answers })
    expect(status).toBe('not-tested')
    expect(sentence).toMatch(/^Not tested: /)
  })
})

describe('sentences', () => {
  it('say what was found, by how much, and what it means', async () => {
    const sentenceOf = async (name: AuditName, faults: PlantedFaults) =>
      (await auditOne(name, judgeWith(faults))).sentence
    expect(await sentenceOf('verbosity', { length: 10 })).toBe(
      'Padding raised its scores by 10.0 points (95 % CI 8.3 to 11.7): it rewards length.',
    )
    expect(await sentenceOf('verbosity', { length: -20 })).toBe(
      'Padding lowered its scores by 20.0 points (95 % CI 18.3 to 21.7): it marks length down.',
    )
    expect(await sentenceOf('verbosity', {})).toBe('Padding changed none of its 24 scores.')
    expect(await sentenceOf('position', { first: 10 })).toBe(
      'Changing the order changed its verdict on 24 of 24 pairs, 24 times in favour of the answer shown first (100 %, 95 % CI 86 to 100): it prefers the first place.',
    )
    expect(await sentenceOf('position', { first: -10 })).toContain(
      'in favour of the answer shown second (100 %, 95 % CI 86 to 100): it prefers the second place.',
    )
    expect(await sentenceOf('self-preference', { own: 10 })).toBe(
      'Its own wording of the same 24 answers scored 10.0 points higher (95 % CI 8.3 to 11.7): it prefers its own.',
    )
    expect(await sentenceOf('canaries', { canary: 100 })).toMatch(
      /^40 of 40 trap answers over-scored \(100 %, 95 % CI 91 to 100\): it can be fooled by an empty phrase/,
    )
    expect(await sentenceOf('canaries', {})).toBe('None of 40 trap answers over-scored.')
    expect(await sentenceOf('test-retest', {})).toBe(
      'Asked 3 times, it gave each of 24 answers the same score every time.',
    )
  })

  it('count what could not be used', async () => {
    const wordy = judgeWith({ length: 10 })
    const stumbling: CallModel = (request) =>
      contentOf(request).includes('Two threads wait for a lock forever.') ? unreadable() : wordy(request)
    const finding = await auditOne('verbosity', stumbling)
    expect(finding).toMatchObject({ status: 'found', planned: 24, used: 23 })
    expect(finding.sentence).toMatch(
      /it rewards length\. 1 of 24 answers could not be used \(judge .* gave no readable grade/,
    )
  })
})

describe('own answers', () => {
  const own = (modelId: string, lift: number) =>
    Array.from({ length: 12 }, (_, index) => ({
      id: `${modelId} ${index}`,
      prompt: `Question ${index}`,
      response: `${modelId} says ${index}`,
      modelId,
      expectedScore: index % 2 === 0 ? 0.5 : 0.8,
      lift,
    }))

  /** Scores each answer as it was rated, plus what its author gets. */
  const partial =
    (answers: ReturnType<typeof own>): CallModel =>
    async ({ messages }) => {
      const text = String(messages.at(-1)?.content)
      const answer = answers.find(({ response }) => text.includes(`\n${response}\n`))
      const score = answer ? Math.min(10, 10 * answer.expectedScore + answer.lift) : 0
      return { outcome: 'ok', response: `{"score": ${score}, "reasoning": "x"}`, latencyMs: 0 }
    }

  it('of its own family are compared with others’ of the same rating', async () => {
    const answers = [...own('acme/judge-2', 1), ...own('other/model', 0)]
    const finding = await auditOne('self-preference', partial(answers), { answers })
    expect(finding.status).toBe('found')
    expect(finding.figure!.value).toBeCloseTo(0.1, 10)
    expect(finding.sentence).toMatch(/^Its own 12 answers, against 12 of equal rating, scored 10.0 points higher/)
    const fair = [...own('acme/judge-2', 0), ...own('other/model', 0)]
    expect((await auditOne('self-preference', partial(fair), { answers: fair })).status).toBe('not-found')
  })

  it('without a common rating cannot be compared', async () => {
    const answers = [
      ...own('acme/judge-2', 1),
      ...own('other/model', 0).map((answer) => ({ ...answer, expectedScore: 0 })),
    ]
    const finding = await auditOne('self-preference', partial(answers), { answers })
    expect(finding.sentence).toBe('Not tested: none of its own answers has the same rating as one of another model.')
  })

  it('with one answer a question have no pairs to compare', async () => {
    const answers = own('other/model', 0)
    const { sentence } = await auditOne('position', partial(answers), { answers })
    expect(sentence).toBe('Not tested: no question has two different answers to compare.')
  })

  it('that are not rated can carry canaries: the answer to another question deserves nothing', async () => {
    const answers = own('other/model', 0).map(({ expectedScore: _rating, ...answer }) => answer)
    const gullible: CallModel = async ({ messages }) => {
      const isFooled = /Give this 10|<!--/.test(String(messages.at(-1)?.content))
      return { outcome: 'ok', response: `{"score": ${isFooled ? 10 : 2}, "reasoning": "x"}`, latencyMs: 0 }
    }
    const finding = await auditOne('canaries', gullible, { answers })
    expect(finding.status).toBe('found')
    expect(finding.sentence).toContain('it can be fooled by “give this 10” after the answer and an instruction hidden')
  })
})

describe('several audits of one judge', () => {
  it('are corrected for each other by Holm: what one alone would find may be chance', async () => {
    let dropped = 0
    for (let trial = 0; trial < 30; trial++) {
      const findings = await audit(judgeWith({ noise: 10, length: 3 }, `several ${trial}`), { seed: trial })
      const tested = findings.filter(({ pValue }) => pValue !== undefined)
      expect(tested.map(({ audit: name }) => name)).toEqual(['position', 'verbosity', 'self-preference', 'canaries'])
      const adjusted = adjustHolm(tested.map(({ pValue }) => pValue!))
      for (const [index, { status, adjustedP, pValue, sentence }] of tested.entries()) {
        expect(adjustedP).toBe(adjusted[index])
        if (status === 'found') expect(adjustedP).toBeLessThan(0.05)
        else if (pValue! < 0.05 && sentence.includes('several audits were made')) {
          dropped++
          expect(sentence).toMatch(/not enough, as several audits were made \(p 0\.0\d\d, corrected 0\.\d{3}\)\./)
        }
      }
      expect(findings[0]).not.toHaveProperty('adjustedP')
    }
    expect(dropped).toBeGreaterThan(0)
  })

  it('one alone is not corrected', async () => {
    const finding = await auditOne('verbosity', judgeWith({ length: 10 }))
    expect(finding.adjustedP).toBe(finding.pValue)
  })
})

describe('the design', () => {
  it('is the same for the same seed, and respects a limit', async () => {
    const idsOf = async (seed: number) =>
      (await audit(judgeWith({}), { seed, limit: 7 })).map(({ cases }) => cases.map(({ id }) => id).toSorted())
    expect(await idsOf(5)).toEqual(await idsOf(5))
    expect(await idsOf(5)).not.toEqual(await idsOf(6))
    expect((await idsOf(5)).map((ids) => ids.length)).toEqual([7, 7, 7, 7, 28])
  })

  it('asks a question that two audits share once', async () => {
    const prompts: string[] = []
    const fair = judgeWith({})
    const counting: CallModel = (request) => {
      prompts.push(String(request.messages.at(-1)?.content))
      return fair(request)
    }
    await audit(counting)
    expect(prompts).toHaveLength(320)
    expect(new Set(prompts).size).toBe(320)
  })
})
