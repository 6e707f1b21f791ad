import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { InputError, type Storage } from '../../contract/index.ts'
import { answerCell, cell, cellsOf, createSample, header, hostileTexts, plainAnswer } from './samples.ts'
import type { TestedDriver } from './tested-drivers.ts'

/** Letters with several case variants, special characters of LIKE and regular expressions, and encoded characters. */
const characters = [
  'a',
  'A',
  'k',
  'K',
  '\u212A',
  's',
  'S',
  'ſ',
  'é',
  'É',
  'Σ',
  'σ',
  'ς',
  '%',
  '_',
  '\\',
  '.',
  '*',
  '/',
  '(',
  '-',
  '😀',
  '\0',
  '\u001A',
  '0',
  '\uD83D',
  ' ',
  '\n',
]

/** Unicode's simple case folding (CaseFolding.txt, status C and S) of the characters above. */
const folded: Record<string, string> = { A: 'a', K: 'k', '\u212A': 'k', S: 's', ſ: 's', É: 'é', Σ: 'σ', ς: 'σ' }
const fold = (text: string) => Array.from(text, (character) => folded[character] ?? character)

function includesFolded(text: string, part: string): boolean {
  const [whole, wanted] = [fold(text), fold(part)]
  return Array.from({ length: whole.length - wanted.length + 1 }, (_, start) => start).some((start) =>
    wanted.every((character, index) => whole[start + index] === character),
  )
}

/** Rules for searching answers (src/contract/ports/storage.ts): case is ignored, and no character is special. */
export function describeSearch(driver: TestedDriver): void {
  describe('search', () => {
    let storage: Storage
    beforeEach(async () => {
      storage = await (await driver.createDatabase()).open()
    })
    afterEach(() => storage.close())
    const createAnswers = async (runId: string, responses: string[]) => {
      await storage.createRun(
        header(runId),
        cellsOf(
          responses.map((_, index) => `case ${index}`),
          ['m'],
        ),
      )
      await Promise.all(
        responses.map((response, index) =>
          answerCell(storage, cell(runId, `case ${index}`, 'm'), { answer: plainAnswer(response) }),
        ),
      )
    }
    const search = async (runId: string, text: string) =>
      (await storage.searchAnswers(runId, text)).map(({ testCaseId }) => Number(testCaseId.slice(5)))

    it('finds a text regardless of case, in cell order', async () => {
      await createAnswers('run', ['The CAPITAL is paris', 'Rome', 'PARIS!', 'Élan, ΟΔΟΣ', 'pari s'])
      expect(await search('run', 'Paris')).toEqual([0, 2])
      expect(await search('run', 'capital is P')).toEqual([0])
      expect(await search('run', 'éLAN')).toEqual([3])
      expect(await search('run', 'οδοσ')).toEqual([3])
      expect(await search('run', 'Madrid')).toEqual([])
      expect(await search('run', '')).toEqual([0, 1, 2, 3, 4])
    })

    it('special characters match themselves', async () => {
      await createAnswers('run', ['100%', '100 percent', 'a_b', 'axb', 'a\\b', 'a.b', 'a*', '[x]', "'; --", '^$'])
      for (const [text, found] of [
        ['%', [0]],
        ['0%', [0]],
        ['a_b', [2]],
        ['\\', [4]],
        ['a.b', [5]],
        ['*', [6]],
        ['[x]', [7]],
        ["';", [8]],
        ['^$', [9]],
        ['\\b', [4]],
      ] as const)
        expect(await search('run', text), text).toEqual(found)
    })

    it('agrees with a character-by-character comparison', async () => {
      const text = (maxLength: number) =>
        fc.array(fc.constantFrom(...characters), { maxLength }).map((parts) => parts.join(''))
      let runs = 0
      await fc.assert(
        fc.asyncProperty(
          fc.array(text(12), { minLength: 1, maxLength: 12 }),
          fc.array(text(3), { minLength: 6, maxLength: 6 }),
          async (responses, wanted) => {
            const runId = `run ${++runs}`
            await createAnswers(runId, responses)
            for (const part of wanted)
              expect(await search(runId, part)).toEqual(
                responses.flatMap((response, index) => (includesFolded(response, part) ? [index] : [])),
              )
          },
        ),
        { numRuns: 50 },
      )
    })

    it('finds every hostile text in itself', async () => {
      await createAnswers('run', hostileTexts)
      for (const [index, text] of hostileTexts.entries()) expect(await search('run', text)).toContain(index)
    })

    it('finds answers that are not scored yet, but no errors and no answers of other runs', async () => {
      await createSample(storage, 'run')
      await createSample(storage, 'other')
      await answerCell(storage, cell('run', 'italy'), { answer: plainAnswer('Paris') })
      await answerCell(storage, cell('run', 'france', 'poor'), { answer: plainAnswer('paris') })
      await storage.saveScore(cell('run', 'france', 'poor'), { score: 1 })
      await storage.saveError(cell('run'), 'error', 'no paris')
      await answerCell(storage, cell('other'))
      expect(await storage.searchAnswers('run', 'PARIS')).toStrictEqual([
        { testCaseId: 'france', modelId: 'poor' },
        { testCaseId: 'italy', modelId: 'good' },
      ])
    })

    it('refuses an unknown run, and a text of more than 1,000 characters', async () => {
      await expect(storage.searchAnswers('nowhere', 'x')).rejects.toThrow(/There is no run "nowhere"/)
      await createAnswers('run', ['é'.repeat(5000)])
      expect(await search('run', 'É'.repeat(1000))).toEqual([0])
      await expect(storage.searchAnswers('run', 'x'.repeat(1001))).rejects.toThrow(InputError)
    })
  })
}
