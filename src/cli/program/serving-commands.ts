import { InvalidArgumentError, type Command } from 'commander'
import type { ServeOptions } from '../options/serve-place.ts'
import { DATA_OPTION, example, JSON_OPTION, type AddCommands } from './shared.ts'
import { runLimits } from '../../contract/index.ts'
import type { WorkerOptions } from '../commands/serving/worker.ts'
import { number } from '../options/run-options.ts'
import type { InviteOptions } from '../commands/serving/team.ts'
import type { McpOptions, RunCommand } from '../commands/mcp.ts'

function readPort(text: string): number {
  const port = Number(text)
  if (/^\d+$/.test(text) && port <= 65_535) return port
  throw new InvalidArgumentError('It must be a whole number from 0 to 65535.')
}

export const addServeCommand: AddCommands = (program, terminal, finish) => {
  program
    .command('serve', { isDefault: true })
    .description('open the web app')
    .option('--port <n>', 'use only this port (default: 4747, or the next free one)', readPort)
    .option('--no-open', 'do not open a browser')
    .option('--continue-runs', 'continue the runs that the last stop interrupted')
    .option('--team', 'people sign in, each with a role; see docs/access.md')
    .option('--host <address>', 'listen on this address (default: 127.0.0.1)\nNobody else can reach 127.0.0.1.')
    .option('--tls-cert <file>', 'certificate, with --tls-key: encrypt connections')
    .option('--tls-key <file>', 'key of the certificate')
    .option('--public-url <url>', 'the https:// address that people open, with --tls-cert')
    .option('--behind-proxy <url>', 'a proxy encrypts; people open this https:// address')
    .option(...DATA_OPTION)
    .option(...JSON_OPTION)
    .addHelpText(
      'after',
      example('serve', 'serve --port 8080 --no-open --continue-runs', 'serve --behind-proxy https://bench.example.org'),
    )
    .action(async (_options: unknown, command: Command) =>
      finish(
        await (await import('../commands/serving/serve.ts')).serve(command.optsWithGlobals<ServeOptions>(), terminal),
      ),
    )
}

export const addWorkerCommand: AddCommands = (program, terminal, finish) => {
  program
    .command('worker')
    .description('work on the runs of a team server')
    .option(
      '--concurrency <n>',
      'most requests to one provider at once',
      number({ min: 1, max: runLimits.concurrency, isWhole: true }),
      20,
    )
    .option('--name <name>', 'what to call this worker (default: the name of the machine)')
    .option('--grace <s>', 'seconds to wait for answers when it is stopped', number({ min: 0, max: 3600 }), 10)
    .option(
      '--health-port <port>',
      'answer /healthz and /readyz on this port of 127.0.0.1',
      number({ min: 0, max: 65_535, isWhole: true }),
    )
    .option(...DATA_OPTION)
    .addHelpText('after', example('worker', 'worker --concurrency 50 --name gpu-1'))
    .action(async (_options: unknown, command: Command) =>
      finish(
        await (await import('../commands/serving/worker.ts')).work(command.optsWithGlobals<WorkerOptions>(), terminal),
      ),
    )
}

export const addTeamCommands: AddCommands = (program, terminal, finish) => {
  program
    .command('invite')
    .description('invite a person to a team server')
    .argument('<login>', 'the e-mail address or name to sign in with')
    .option('--role <role>', 'viewer, runner or admin', 'runner')
    .option('--url <url>', 'the address of the server (default: http://127.0.0.1:4747)')
    .option(...DATA_OPTION)
    .option(...JSON_OPTION)
    .addHelpText('after', example('invite ada@example.org --role admin --url https://bench.example.org'))
    .action(async (login: string, _options: unknown, command: Command) => {
      const { inviteCommand } = await import('../commands/serving/team.ts')
      finish(await inviteCommand(login, command.optsWithGlobals<InviteOptions>(), terminal))
    })
  program
    .command('rotate-key')
    .description('encrypt stored keys with a new secret key')
    .option(...DATA_OPTION)
    .option(...JSON_OPTION)
    .addHelpText(
      'after',
      `${example('rotate-key')}\n\nSet BENCHMAKER_SECRET_KEY to the new key and BENCHMAKER_SECRET_KEY_OLD to the one before.`,
    )
    .action(async (_options: unknown, command: Command) => {
      const { rotateKeyCommand } = await import('../commands/serving/team.ts')
      finish(await rotateKeyCommand(command.optsWithGlobals<{ data?: string; json?: boolean }>(), terminal))
    })
}

function readDollars(text: string): number {
  const dollars = Number(text)
  if (text.trim() !== '' && dollars > 0 && dollars <= runLimits.maxCost) return dollars
  throw new InvalidArgumentError('It must be a number of dollars above 0, at most 9,000,000.')
}

/** `runCommand` runs any other command of the program. */
export function addMcpCommand(program: Command, finish: (exitCode: number) => void, runCommand: RunCommand): void {
  program
    .command('mcp')
    .description('run an MCP server for coding agents; it can only read')
    .option('--allow-run', 'let the agent start runs, which cost money')
    .option('--max-cost <usd>', 'what all runs of the agent may cost together', readDollars)
    .option(...DATA_OPTION)
    .addHelpText('after', example('mcp', 'mcp --allow-run --max-cost 2'))
    .action(async (options: McpOptions) =>
      finish(await (await import('../commands/mcp.ts')).serveMcp(options, runCommand)),
    )
}
