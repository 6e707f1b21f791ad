import { stat } from 'node:fs/promises'
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import { z } from 'zod'
import { EXIT_BAD_INPUT } from '../../output/exit-codes.ts'
import { answer, name, type RunCommand } from './mcp-answers.ts'

export interface RunToolOptions {
  /** `--data FOLDER`, if it was given. */
  place: readonly string[]
  /** US dollars for all runs together. */
  maxCost: number | undefined
  runCommand: RunCommand
  /** The results of a stored run. */
  show(runId: string): Promise<CallToolResult>
}

const finishedSchema = z.object({
  runs: z.array(z.object({ id: z.string() })).min(1),
  cost: z.number().nullish(),
  unknownCosts: z.int().optional(),
})

function readFinished(out: string): z.infer<typeof finishedSchema> | undefined {
  try {
    return finishedSchema.parse(JSON.parse(out))
  } catch {
    return undefined
  }
}

/** What a run has cost at most. Requests of unknown cost may have used up all that it was allowed. */
function countSpent(finished: z.infer<typeof finishedSchema> | undefined, budget: number): number {
  if (!finished || (finished.unknownCosts ?? 0) > 0) return budget
  return finished.cost ?? 0
}

/** A pipe or a device: reading it could block all later runs, or this server's own input. */
async function isStream(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => undefined)
  return found !== undefined && !found.isFile() && !found.isDirectory()
}

/** The tool `run`, only for agents that may spend money. */
export function addRunTool(server: McpServer, { place, maxCost, runCommand, show }: RunToolOptions): void {
  let left = maxCost
  let earlier: Promise<unknown> = Promise.resolve()

  server.registerTool(
    'run',
    {
      title: 'Run a suite',
      description:
        'Asks models every test case of a suite, scores the answers, stores the run and returns its results. Costs money, within the budget that the user has set; the simulated models demo/good, demo/fair and demo/poor need no key. May take minutes: if you stop waiting, a run that has started goes on, and list_runs finds it.',
      inputSchema: z.strictObject({
        suite: name.describe(
          'Path of a suite file (YAML, JSON, CSV, JSONL), or the name or id of a suite from list_suites',
        ),
        models: z.array(name).min(1).max(50).describe('Models such as openai/gpt-4o'),
        judge: name.optional().describe('Judge model, for cases that a judge scores'),
        repeat: z.int().min(1).max(20).optional().describe('How often to run the suite (default 1)'),
        limit: z.int().min(1).optional().describe('Only the first cases'),
        max_cost: z.number().positive().optional().describe('US dollars that this run may cost'),
      }),
      annotations: { readOnlyHint: false, destructiveHint: false, openWorldHint: true },
    },
    ({ suite, models, judge, repeat = 1, limit, max_cost: maxCostOfRun }, { signal }) => {
      const run = async (): Promise<CallToolResult> => {
        // Nobody waits for it any more, and it has not begun.
        if (signal.aborted) return answer('Cancelled before it started; nothing was sent.', true)
        const budget = Math.min(left ?? Infinity, maxCostOfRun ?? Infinity)
        if (budget <= 0) return answer('The budget of this server is used up; nothing was sent.', true)
        if (await isStream(suite))
          return answer(`${suite} is a pipe or a device; give the path of a suite file. Nothing was sent.`, true)
        const { exitCode, out, err } = await runCommand([
          'run',
          suite,
          '--models',
          models.join(','),
          '--repeat',
          String(repeat),
          '--json',
          ...place,
          ...(judge === undefined ? [] : ['--judge', judge]),
          ...(limit === undefined ? [] : ['--limit', String(limit)]),
          ...(budget === Infinity ? [] : ['--max-cost', String(budget)]),
        ])
        if (exitCode === EXIT_BAD_INPUT) return answer(err, true)
        const finished = readFinished(out)
        if (left !== undefined) left -= countSpent(finished, budget)
        return finished ? show(finished.runs[0]!.id) : answer(err, true)
      }
      // One after another: two runs at once would each get all that is left of the budget.
      const mine = earlier.then(run)
      earlier = mine.catch(() => undefined)
      return mine
    },
  )
}
