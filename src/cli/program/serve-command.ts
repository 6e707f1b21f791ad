import { InvalidArgumentError, type Command } from 'commander'
import type { ServeOptions } from '../commands/serving/serve-options.ts'
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
    .option('--team', 'people sign in, each with a role; see docs/access.md')
    .option(
      '--host <address>',
      'listen on this address of the machine (default: 127.0.0.1, which nobody else can reach)',
    )
    .option('--tls-cert <file>', 'certificate, with --tls-key: encrypt connections')
    .option('--tls-key <file>', 'key of the certificate')
    .option('--public-url <url>', 'the https:// address that people open, with --tls-cert')
    .option('--behind-proxy <url>', 'a proxy in front encrypts; people open this https:// address')
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
