import { countNoun } from '../../contract/index.ts'
import type { JsonLine } from '../text/json-lines.ts'
import { nameAfterFile } from './finish-suite.ts'

/** Reads a project of Web-Bench (`tasks.jsonl`): a first page, and changes that each build on the one before. */

const SYSTEM_PROMPT = `You are an experienced front-end developer. Each message asks for the next step of one project: first for its files, then for a change of them. Everything from before stays as it is.

- It runs in a browser without a network and without a build step, from index.html.
- Answer with every file that is new or changed, complete, each in a fenced block with its path in the line above. Leave out the others.`

/** A reasoning model needs minutes for some steps. */
const SECONDS_A_STEP = 300

/** True for lines with the ids and fields of Web-Bench. */
export function isWebBench(lines: readonly JsonLine[]): boolean {
  return (
    lines[0]?.value['id'] === 'init' &&
    lines.every(
      ({ value }) => typeof value['description'] === 'string' && /^(?:init|task-\d+)$/.test(String(value['id'])),
    )
  )
}

/** Its own tests are programs for Playwright in another folder; `pageTests` may be written beside the fields of a line. */
export function toProject(
  lines: readonly JsonLine[],
  file: string,
): { suite: Record<string, unknown>; warnings: string[] } {
  const id = nameAfterFile(file).replace(/[.-]?tasks$/, '') || 'project'
  const tested = lines.filter(({ value }) => value['pageTests'] !== undefined).length
  const testCase = {
    id,
    turns: lines.map(({ value: { description, pageTests } }) => ({
      user: description,
      ...(pageTests !== undefined && { pageTests }),
    })),
    agent: { limits: { turns: lines.length, seconds: SECONDS_A_STEP * lines.length } },
    scoringMethod: tested > 0 ? 'page-steps' : 'none',
    metadata: { category: 'project' },
  }
  const steps = countNoun(lines.length, 'step')
  return {
    suite: { name: `Web-Bench ${id}`, systemPrompt: SYSTEM_PROMPT, testCases: [testCase] },
    warnings:
      tested === 0
        ? [
            `${file}: Web-Bench's own tests are not in this file, so none of the ${steps} is scored; to score them, give the turns pageTests and the case scoringMethod: page-steps`,
          ]
        : tested < lines.length
          ? [`${file}: ${tested} of ${steps} have pageTests; the others are not scored`]
          : [],
  }
}
