import type { Suite, TestCase } from '../contract/index.ts'
import { findPreset } from '../scoring/judging/judge-presets.ts'
import { codeArenaPrompt, promptVersionOf } from '../scoring/judging/judge-prompts.ts'
import { pageCheckPrompt } from '../scoring/judging/page-checks.ts'
import { pairwisePromptVersion } from '../scoring/judging/pairwise-prompt.ts'
import { rubricPrompt } from '../scoring/judging/rubric-prompt.ts'
import { isArenaCase } from './code-arena/suite.ts'

/** The single scoring method of a case, or its checks and those in groups. */
function methodsOf(testCase: TestCase): { scoringMethod: string; preset?: unknown }[] {
  const { scoringMethod, checks = [] } = testCase
  const all = checks.flatMap((check) => [check, ...(check.checks ?? [])])
  return scoringMethod === undefined ? all : [{ scoringMethod, preset: testCase['preset'] }, ...all]
}

/** The versions of the prompts that the judges of a suite are sent, as stored with a run. */
export function namePromptVersions({ testCases, preset: common }: Suite): string {
  const pages = testCases.filter(isArenaCase)
  if (pages.length > 0)
    return pages.every((testCase) => testCase['pageChecks'] !== undefined)
      ? pageCheckPrompt.version
      : codeArenaPrompt.version
  const methods = testCases.flatMap(methodsOf)
  const versions = methods.flatMap(({ scoringMethod, preset }) => {
    if (scoringMethod === 'rubric') return [rubricPrompt.version]
    if (scoringMethod === 'pairwise') return [pairwisePromptVersion]
    return scoringMethod === 'llm-judge'
      ? [promptVersionOf(findPreset(typeof preset === 'string' ? preset : common))]
      : []
  })
  const used = [...new Set(versions)].toSorted()
  return used.length === 0 ? promptVersionOf(undefined) : used.join(', ')
}
