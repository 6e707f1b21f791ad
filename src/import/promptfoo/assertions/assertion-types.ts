/** Types that become a check; `assertions.ts` has how. */
const TAKEN_OVER = [
  'equals',
  'contains',
  'icontains',
  'contains-any',
  'contains-all',
  'icontains-any',
  'icontains-all',
  'starts-with',
  'regex',
  'is-json',
  'contains-json',
  'llm-rubric',
  'model-graded-closedqa',
  'model-graded-factuality',
  'factuality',
  'g-eval',
  'similar',
  'similar:cosine',
  'similar:dot',
  'similar:euclidean',
  'levenshtein',
  'javascript',
  'latency',
  'cost',
  'is-valid-function-call',
  'is-valid-openai-function-call',
  'is-valid-openai-tools-call',
  'tool-call-f1',
  'word-count',
  'is-refusal',
  'bleu',
  'rouge-n',
  'rouge-l',
  'answer-relevance',
  'context-faithfulness',
]

/** Types that do not become a check, and why. */
const LEFT_OUT: [reason: string, types: string[]][] = [
  ['it runs code, which is not run here', ['python', 'ruby', 'webhook']],
  ['every run reports it for each answer anyway', ['finish-reason']],
  ['it compares the outputs of several models; compare the scores instead', ['select-best', 'max-score']],
  [
    'it needs a model or service of its own',
    ['classifier', 'moderation', 'guardrails', 'pi', 'search-rubric', 'perplexity', 'perplexity-score'],
  ],
  ['it looks at retrieved context', ['context-recall', 'context-relevance', 'conversation-relevance']],
  ['there is no such overlap measure here', ['gleu', 'meteor', 'rouge-s', 'f-score']],
  [
    'there is no such check here',
    ['contains-html', 'contains-sql', 'contains-xml', 'is-html', 'is-sql', 'is-xml', 'human'],
  ],
  ['traces of agents are not read', ['agent-rubric', 'skill-used']],
  ['traces of agents are not read', ['trace-error-spans', 'trace-span-count', 'trace-span-duration', 'trajectory']],
]

const REASONS = new Map(LEFT_OUT.flatMap(([reason, types]) => types.map((type) => [type, reason])))

/** Every type that promptfoo knows, without `not-`. */
export const ASSERTION_TYPES: ReadonlySet<string> = new Set([...TAKEN_OVER, ...REASONS.keys(), 'assert-set'])

export function omissionReason(type: string): string {
  return REASONS.get(type) ?? REASONS.get(type.split(':')[0]!) ?? 'there is no assertion of that name'
}
