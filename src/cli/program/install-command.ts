import { Argument, type Command } from 'commander'
import { DATA_OPTION, example, JSON_OPTION, optionsOf, type AddCommands } from './shared.ts'

export const addInstallCommand: AddCommands = (program, terminal, finish) => {
  program
    .command('install')
    .description('install what previews and screenshots of pages need: libraries, compilers, fonts and a browser')
    .addArgument(new Argument('<what>', 'what to install').choices(['previews']))
    .argument(
      '[files...]',
      'packages as npm pack makes them, for machines without a registry: benchmaker-previews, and for screenshots playwright-core and @sparticuz/chromium',
    )
    .option(...DATA_OPTION)
    .option(...JSON_OPTION)
    .addHelpText('after', example('install previews', 'install previews benchmaker-previews-0.1.0.tgz'))
    .action(async (_what: string, files: string[], _options: unknown, command: Command) =>
      finish(await (await import('../commands/install.ts')).installPreviews(files, optionsOf(command), terminal)),
    )
}
