import type { Suite, TestCase } from '../contract/index.ts'
import { llmJudgePrompt } from '../scoring/index.ts'
import { codeArenaPrompt } from '../scoring/judging/judge-prompts.ts'
import { pageCheckPrompt } from '../scoring/judging/page-check-prompt.ts'
import { pairwisePromptVersion } from '../scoring/judging/pairwise-prompt.ts'
import { rubricPrompt } from '../scoring/judging/rubric-prompt.ts'
import { isArenaCase } from './code-arena/suite.ts'

function methodsOf({ scoringMethod, checks = [] }: TestCase): string[] {
  const all = checks.flatMap((check) => [check, ...(check.checks ?? [])])
  return [scoringMethod, ...all.map((check) => check.scoringMethod)].filter((method) => method !== undefined)
}

/** The versions of the prompts that the judges of a suite are sent, as stored with a run. */
export function namePromptVersions({ testCases }: Suite): string {
  const pages = testCases.filter(isArenaCase)
  if (pages.length > 0)
    return pages.every((testCase) => testCase['pageChecks'] !== undefined)
      ? pageCheckPrompt.version
      : codeArenaPrompt.version
  const methods = new Set(testCases.flatMap(methodsOf))
  const used = [
    ...(methods.has('llm-judge') ? [llmJudgePrompt.version] : []),
    ...(methods.has('rubric') ? [rubricPrompt.version] : []),
    ...(methods.has('pairwise') ? [pairwisePromptVersion] : []),
  ]
  return used.length === 0 ? llmJudgePrompt.version : used.join(', ')
}
