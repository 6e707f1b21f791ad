import type { JsonLine } from '../text/json-lines.ts'

/** Returns true for lines of WebGen-Bench's `test.jsonl`: an instruction, and what to try on the page. */
export function isWebGenBench(lines: readonly JsonLine[]): boolean {
  return lines.every(({ value }) => typeof value['instruction'] === 'string' && Array.isArray(value['ui_instruct']))
}

function readText(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

/** `Category` is a name, or an object with a primary category. */
function readCategory(value: unknown): string {
  if (typeof value !== 'object' || value === null) return readText(value)
  return readText(Object.entries(value).find(([name]) => name === 'primary_category')?.[1])
}

/** A page prompt with checks, from one line of WebGen-Bench. Checks without a task or a result are refused later. */
export function toPageCase({ value }: JsonLine): Record<string, unknown> {
  const { id, instruction, Category, application_type: type, ui_instruct: instructions } = value
  const category = readCategory(Category)
  const kind = readText(type)
  const checks = Array.isArray(instructions) ? instructions : []
  return {
    ...(id !== undefined && { id: String(id) }),
    prompt: instruction,
    scoringMethod: 'code-arena',
    ...(checks.length > 0 && {
      pageChecks: checks.map((check: Record<string, unknown> | null) => ({
        task: check?.['task'],
        expectedResult: check?.['expected_result'],
      })),
    }),
    ...((category !== '' || kind !== '') && {
      metadata: { ...(category !== '' && { category }), ...(kind !== '' && { tags: [kind] }) },
    }),
  }
}
