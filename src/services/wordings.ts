import { readCluster, type Suite, type TestCase } from '../contract/index.ts'
import { fillText } from '../scoring/text/fill-text.ts'

interface Level {
  name: string
  prompt: string
}

type Wording = NonNullable<Suite['wordings']>[number]

const wordingName = (wording: Wording, index: number) =>
  typeof wording === 'object' && wording.name !== undefined ? wording.name : `wording ${index + 1}`
const wordingText = (wording: Wording) => (typeof wording === 'string' ? wording : wording.prompt)

/** The wordings of a case: its own beside its prompt, or those of the suite around it. Undefined if it has one only. */
function listLevels(suite: Suite, testCase: TestCase, problems: string[]): Level[] | undefined {
  const { id, prompt, messages, wordings: own, vars = {} } = testCase
  if (own) {
    if (messages) {
      problems.push(`test case ${id} has wordings and messages; wordings are for a prompt`)
      return undefined
    }
    const given = own.map((wording, index) => ({ name: wordingName(wording, index), prompt: wordingText(wording) }))
    return prompt === undefined ? given : [{ name: 'as written', prompt }, ...given]
  }
  if (!suite.wordings) return undefined
  if (prompt === undefined) {
    problems.push(`test case ${id} has no prompt, which the wordings of the suite are around`)
    return undefined
  }
  return suite.wordings.map((wording, index) => {
    const { text, unknown } = fillText(wordingText(wording), { ...vars, prompt })
    for (const name of unknown)
      problems.push(
        `${wordingName(wording, index)} of the suite has {{${name}}}, for which test case ${id} has no value`,
      )
    return { name: wordingName(wording, index), prompt: text }
  })
}

/** A wording without {{prompt}} or variables would ask another question than the cases do. */
function checkWordings(
  { wordings = [], variants = [], testCases }: Suite,
  levelsOf: (Level[] | undefined)[],
): string[] {
  const asked = testCases.flatMap(({ prompt, wordings: own }, at) => (own || !levelsOf[at] ? [] : [{ prompt, at }]))
  if (new Set(asked.map(({ prompt }) => prompt)).size < 2) return []
  return wordings.flatMap((wording, index) => {
    if (new Set(asked.map(({ at }) => levelsOf[at]![index]!.prompt)).size > 1) return []
    const variant = variants.find(({ name }) => name === wordingText(wording))
    const hint = variant ? ` (${variant.name} is a variant; variants are compared, wordings are prompts)` : ''
    return `${wordingName(wording, index)} of the suite asks every case the same: say {{prompt}} where the prompt of a case goes${hint}`
  })
}

/**
 * A case for each wording, all in one cluster: they are the same question. The wording stays in the metadata, where
 * reports find it. A suite without wordings stays as it is, so that a stored one is not expanded again.
 */
export function expandWordings(suite: Suite, problems: string[]): Suite {
  const { wordings, ...rest } = suite
  if (!wordings && suite.testCases.every((testCase) => !testCase.wordings)) return suite
  const levelsOf = suite.testCases.map((testCase) => listLevels(suite, testCase, problems))
  problems.push(...checkWordings(suite, levelsOf))
  const counts = new Set(levelsOf.map((levels) => levels?.length ?? 1))
  for (const [index, levels] of levelsOf.entries()) {
    const names = levels?.map(({ name }) => name) ?? []
    const twice = names.find((name, place) => names.indexOf(name) !== place)
    if (twice !== undefined) problems.push(`test case ${suite.testCases[index]!.id} has two wordings named ${twice}`)
  }
  return {
    ...rest,
    testCases: suite.testCases.flatMap((testCase, index): TestCase[] => {
      const { wordings: _own, ...plain } = testCase
      const levels = levelsOf[index]
      if (!levels) return [plain]
      return levels.map(({ name, prompt }) => ({
        ...plain,
        id: `${testCase.id} ~ ${name}`,
        prompt,
        // Only where cases have different numbers of wordings would some count more than others.
        weight: counts.size === 1 ? testCase.weight : testCase.weight / levels.length,
        cluster: readCluster(testCase, suite.clusterBy) ?? testCase.id,
        metadata: { ...testCase.metadata, wording: name, wordingOf: testCase.id },
      }))
    }),
  }
}
