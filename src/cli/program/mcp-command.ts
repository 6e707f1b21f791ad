import { InvalidArgumentError, type Command } from 'commander'
import { runLimits } from '../../contract/index.ts'
import type { McpOptions } from '../commands/mcp/mcp.ts'
import type { RunCommand } from '../commands/mcp/mcp-answers.ts'
import { DATA_OPTION, example } from './shared.ts'

function readDollars(text: string): number {
  const dollars = Number(text)
  if (text.trim() !== '' && dollars > 0 && dollars <= runLimits.maxCost) return dollars
  throw new InvalidArgumentError('It must be a number of dollars above 0, at most 9,000,000.')
}

/** `runCommand` runs any other command of the program. */
export function addMcpCommand(program: Command, finish: (exitCode: number) => void, runCommand: RunCommand): void {
  program
    .command('mcp')
    .description('run an MCP server for coding agents on stdin and stdout; it can only read')
    .option('--allow-run', 'let the agent start runs, which cost money')
    .option('--max-cost <usd>', 'what all runs of the agent may cost together', readDollars)
    .option(...DATA_OPTION)
    .addHelpText('after', example('mcp', 'mcp --allow-run --max-cost 2'))
    .action(async (options: McpOptions) =>
      finish(await (await import('../commands/mcp/mcp.ts')).serveMcp(options, runCommand)),
    )
}
