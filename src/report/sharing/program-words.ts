import { runRequestSchema, suiteSchema, testCaseSchema } from '../../contract/index.ts'

/** Names of scoring methods, roles and choices: a model called `judge` must not change what they mean. */
const VALUES = new Set(
  `exact-match regex-match numeric-tolerance boolean llm-judge tool-calls json-match json-schema multiple-choice group
  pairwise rubric similar code-arena none javascript tool-names valid-tool-calls latency cost system user assistant tool function text image mean median decided
  all best factuality faithfulness relevance completeness style safety`.split(/\s+/),
)

/** Fields of suites, cases, checks, scores and requests. */
const KEYS = new Set([
  ...Object.keys(suiteSchema.shape),
  ...Object.keys(testCaseSchema.shape),
  ...Object.keys(runRequestSchema.shape),
  ...`role content type image category difficulty tags models parameters score passed confidence notes rawScore maxScore
  judges missingJudges judgeModelId reasoning reason comparisons opponentId isConsistent style length headers listItems
  bold codeBlocks checks rating note rater queueId arguments expectedCalls tools`.split(/\s+/),
])

/** Whether a whole text is a word of the program, and so names no model. */
export const isProgramValue = (text: string): boolean => VALUES.has(text)

export const isProgramKey = (key: string): boolean => KEYS.has(key)
