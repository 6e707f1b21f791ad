import { readCluster, type Suite, type TestCase, type Variant } from '../contract/index.ts'
import { fillText } from '../scoring/text/fill-text.ts'

interface Level {
  name: string
  prompt: string
  systemPrompt?: string | undefined
}

type Wording = NonNullable<Suite['wordings']>[number] | Level

/** Variants that are marked as wordings, or named among them, are wordings of the suite and no contestants. */
function takeVariants(given: Suite, problems: string[]): { suite: Suite; wordings: Wording[] | undefined } {
  const { variants = [], wordings: own = [], ...suite } = given
  const isWording = ({ name, wordings }: Variant) => wordings === true || own.includes(name)
  for (const { name, messages, parameters, models } of variants.filter(isWording))
    if (messages ?? parameters ?? models)
      problems.push(`variant ${name} is a wording, which has a prompt or a systemPrompt only`)
  const asWording = ({ name, prompt = '{{prompt}}', systemPrompt }: Variant): Level => ({ name, prompt, systemPrompt })
  const named = own.map((wording) => {
    const variant = variants.find(({ name }) => name === wording)
    return variant ? asWording(variant) : wording
  })
  const marked = variants.filter((variant) => isWording(variant) && !own.includes(variant.name)).map(asWording)
  const contestants = variants.filter((variant) => !isWording(variant))
  const wordings = [...named, ...marked]
  return {
    suite: { ...suite, ...(contestants.length > 0 && { variants: contestants }) },
    wordings: wordings.length > 0 ? wordings : undefined,
  }
}

/** What a wording with a system prompt of its own asks: conversations begin with it. */
const asMessages = (prompt: string, systemPrompt: string): Partial<TestCase> => ({
  prompt: undefined,
  messages: [
    { role: 'system', content: systemPrompt },
    { role: 'user', content: prompt },
  ],
})

const wordingName = (wording: Wording, index: number) =>
  typeof wording === 'object' && wording.name !== undefined ? wording.name : `wording ${index + 1}`
const wordingText = (wording: Wording) => (typeof wording === 'string' ? wording : wording.prompt)

/** The wordings of a case: its own beside its prompt, or those of the suite around it. Undefined if it has one only. */
function listLevels(wordings: Wording[] | undefined, testCase: TestCase, problems: string[]): Level[] | undefined {
  const { id, prompt, messages, wordings: own, vars = {} } = testCase
  if (own) {
    if (messages) {
      problems.push(`test case ${id} has wordings and messages; wordings are for a prompt`)
      return undefined
    }
    const given = own.map((wording, index) => ({ name: wordingName(wording, index), prompt: wordingText(wording) }))
    return prompt === undefined ? given : [{ name: 'as written', prompt }, ...given]
  }
  if (!wordings) return undefined
  if (prompt === undefined) {
    problems.push(`test case ${id} has no prompt, which the wordings of the suite are around`)
    return undefined
  }
  return wordings.map((wording, index) => {
    const { text, unknown } = fillText(wordingText(wording), { ...vars, prompt })
    for (const name of unknown)
      problems.push(
        `${wordingName(wording, index)} of the suite has {{${name}}}, for which test case ${id} has no value`,
      )
    const systemPrompt = typeof wording === 'object' && 'systemPrompt' in wording ? wording.systemPrompt : undefined
    return { name: wordingName(wording, index), prompt: text, systemPrompt }
  })
}

/** A wording without {{prompt}} or variables would ask another question than the cases do. */
function checkWordings(wordings: Wording[], testCases: TestCase[], levelsOf: (Level[] | undefined)[]): string[] {
  const asked = testCases.flatMap(({ prompt, wordings: own }, at) => (own || !levelsOf[at] ? [] : [{ prompt, at }]))
  if (new Set(asked.map(({ prompt }) => prompt)).size < 2) return []
  return wordings.flatMap((wording, index) =>
    new Set(asked.map(({ at }) => levelsOf[at]![index]!.prompt)).size > 1
      ? []
      : `${wordingName(wording, index)} of the suite asks every case the same: say {{prompt}} where the prompt of a case goes`,
  )
}

/**
 * A case for each wording, all in one cluster: they are the same question. The wording stays in the metadata, where
 * reports find it. A suite without wordings stays as it is, so that a stored one is not expanded again.
 */
export function expandWordings(given: Suite, problems: string[]): Suite {
  const { suite, wordings } = takeVariants(given, problems)
  if (!wordings && suite.testCases.every((testCase) => !testCase.wordings)) return given
  const { systemPrompt, ...rest } = suite
  const levelsOf = suite.testCases.map((testCase) => listLevels(wordings, testCase, problems))
  problems.push(...checkWordings(wordings ?? [], suite.testCases, levelsOf))
  const counts = new Set(levelsOf.map((levels) => levels?.length ?? 1))
  for (const [index, levels] of levelsOf.entries()) {
    const names = levels?.map(({ name }) => name) ?? []
    const twice = names.find((name, place) => names.indexOf(name) !== place)
    if (twice !== undefined) problems.push(`test case ${suite.testCases[index]!.id} has two wordings named ${twice}`)
  }
  // Then the system prompt is a matter of the wording, not of the suite.
  const isOfWordings = levelsOf.some((levels) => levels?.some((level) => level.systemPrompt !== undefined))
  const other = isOfWordings && rest.variants?.find((variant) => variant.systemPrompt !== undefined)
  if (other) problems.push(`variant ${other.name} has a system prompt, and so have wordings; choose one of them`)
  return {
    ...rest,
    ...(!isOfWordings && systemPrompt !== undefined && { systemPrompt }),
    testCases: suite.testCases.flatMap((testCase, index): TestCase[] => {
      const { wordings: _own, ...plain } = testCase
      const levels = levelsOf[index]
      if (!levels) return [plain]
      return levels.map(({ name, prompt, systemPrompt: own = systemPrompt }) => ({
        ...plain,
        id: `${testCase.id} ~ ${name}`,
        ...(isOfWordings && own !== undefined ? asMessages(prompt, own) : { prompt }),
        // Only where cases have different numbers of wordings would some count more than others.
        weight: counts.size === 1 ? testCase.weight : testCase.weight / levels.length,
        cluster: readCluster(testCase, suite.clusterBy) ?? testCase.id,
        metadata: { ...testCase.metadata, wording: name, wordingOf: testCase.id },
      }))
    }),
  }
}
