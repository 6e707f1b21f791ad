import { once } from 'node:events'
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import { z } from 'zod'
import { EXIT_BAD_INPUT, EXIT_CANCELLED } from '../output/exit-codes.ts'
import { readVersion } from '../package-files.ts'
import { withData } from './stored-commands.ts'

export interface McpOptions {
  data?: string
  allowRun?: boolean
  /** US dollars for all runs of this server together. */
  maxCost?: number
}

/** Runs one command of the program and returns what it prints. */
export type RunCommand = (args: string[]) => Promise<{ exitCode: number; out: string; err: string }>

const storedSuiteSchema = z.object({
  suite: z.object({ name: z.string(), description: z.string().optional(), testCases: z.array(z.unknown()) }),
})

/** Agents read all of it: longer answers are cut. */
const MAX_LENGTH = 60_000

function answer(text: string, isError = false): CallToolResult {
  const cut = text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}\n… cut after ${MAX_LENGTH} characters` : text
  return { content: [{ type: 'text', text: cut }], ...(isError && { isError }) }
}

/** An argument that starts with a dash would be taken for an option. */
const name = z
  .string()
  .min(1)
  .max(1000)
  .refine((text) => !text.startsWith('-'), 'must not start with "-"')

const runName = name.describe('A run: its id, a unique prefix of it, or "latest"')

const readOnly = { readOnlyHint: true, openWorldHint: false }

/** Tools for coding agents: the same commands, words and numbers as in the terminal. */
export function createMcpServer(options: McpOptions, runCommand: RunCommand): McpServer {
  const server = new McpServer({ name: 'benchmaker', version: readVersion() })
  const place = options.data === undefined ? [] : ['--data', options.data]
  let left = options.maxCost

  const show = async (...args: string[]): Promise<CallToolResult> => {
    const { exitCode, out, err } = await runCommand([...args, ...place])
    const isError = exitCode === EXIT_BAD_INPUT || exitCode === EXIT_CANCELLED
    return answer([out, err].filter((text) => text.trim() !== '').join('\n'), isError)
  }

  server.registerTool(
    'list_suites',
    { description: 'The suites of test cases that are stored here.', annotations: readOnly },
    () =>
      withData(options, async (storage) => {
        const suites = await storage.listDocuments('suite')
        return answer(
          JSON.stringify(
            suites.flatMap(({ id, content }) => {
              const { data } = storedSuiteSchema.safeParse(content)
              if (!data) return []
              const { name: title, description, testCases } = data.suite
              return [{ id, name: title, description, cases: testCases.length }]
            }),
          ),
        )
      }),
  )
  server.registerTool(
    'list_runs',
    {
      description: 'The stored runs with their models, scores, state and cost.',
      inputSchema: {
        search: name.optional().describe('Only runs with this in their name, tags, note, suite or models'),
      },
      annotations: readOnly,
    },
    ({ search }) => show('list', '--json', ...(search === undefined ? [] : ['--search', search])),
  )
  server.registerTool(
    'read_results',
    {
      description:
        'The leaderboard of a run or its series, with intervals, what is missing, and which differences are real.',
      inputSchema: { run: runName },
      annotations: readOnly,
    },
    ({ run }) => show('show', run),
  )
  server.registerTool(
    'compare',
    {
      description:
        'Compares models of stored runs of the same suite, case by case: the paired verdict, and which cases got better or worse.',
      inputSchema: {
        runs: z.array(name).min(1).max(20).describe('Runs, or RUN:MODEL for one model of a run'),
        cases: z.boolean().optional().describe('List the cases that changed'),
      },
      annotations: readOnly,
    },
    ({ runs, cases }) => show('compare', ...runs, ...(cases ? ['--cases'] : [])),
  )
  if (!options.allowRun) return server

  server.registerTool(
    'run',
    {
      description:
        'Asks models every test case of a suite, scores the answers, stores the run and returns its results. It costs money, within the budget that the user has set.',
      inputSchema: {
        suite: name.describe('Path of a suite file (YAML, JSON, CSV, JSONL)'),
        models: z.array(name).min(1).max(50),
        judge: name.optional(),
        repeat: z.int().min(1).max(20).optional(),
        limit: z.int().min(1).optional().describe('Only the first cases'),
        max_cost: z.number().positive().optional().describe('US dollars that this run may cost'),
      },
      annotations: { readOnlyHint: false, openWorldHint: true },
    },
    async ({ suite, models, judge, repeat = 1, limit, max_cost: maxCost }) => {
      const budget = Math.min(left ?? Infinity, maxCost ?? Infinity)
      if (budget <= 0) return answer('The budget of this server is used up; nothing was sent.', true)
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
      const { runs, cost = 0 }: { runs: { id: string }[]; cost?: number } = JSON.parse(out)
      if (left !== undefined) left -= cost
      return show('show', runs[0]!.id)
    },
  )
  return server
}

/** `benchmaker mcp`: serves one agent on stdin and stdout until it leaves. */
export async function serveMcp(options: McpOptions, runCommand: RunCommand): Promise<number> {
  const server = createMcpServer(options, runCommand)
  const hasLeft = once(process.stdin, 'end')
  await server.connect(new StdioServerTransport())
  await hasLeft
  await server.close()
  return 0
}
