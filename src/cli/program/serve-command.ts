import { InvalidArgumentError, type Command } from 'commander'
import type { ServeOptions } from '../commands/serve.ts'
import { DATA_OPTION, example, JSON_OPTION, type AddCommands } from './shared.ts'

function readPort(text: string): number {
  const port = Number(text)
  if (/^\d+$/.test(text) && port <= 65_535) return port
  throw new InvalidArgumentError('It must be a whole number from 0 to 65535.')
}

export const addServeCommand: AddCommands = (program, terminal, finish) => {
  program
    .command('serve', { isDefault: true })
    .description('open the web app (the default command)')
    .option('--port <n>', 'use only this port (default: 4747, or the next free one)', readPort)
    .option('--no-open', 'do not open a browser')
    .option('--continue-runs', 'continue the runs that were in progress when the server was last stopped')
    .option(...DATA_OPTION)
    .option(...JSON_OPTION)
    .addHelpText('after', example('serve', 'serve --port 8080 --no-open --continue-runs'))
    .action(async (_options: unknown, command: Command) =>
      finish(await (await import('../commands/serve.ts')).serve(command.optsWithGlobals<ServeOptions>(), terminal)),
    )
}
