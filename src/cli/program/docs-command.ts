import type { Command } from 'commander'
import { example, JSON_OPTION, type AddCommands } from './shared.ts'

export const addDocsCommand: AddCommands = (program, terminal, finish) => {
  program
    .command('docs')
    .description('say where the documentation is, or copy it to a folder that works offline')
    .option('--output <folder>', 'copy it there; the folder must be new, empty or an older copy')
    .option(...JSON_OPTION)
    .addHelpText('after', example('docs', 'docs --output benchmaker-docs'))
    .action(async (_options: unknown, command: Command) =>
      finish(await (await import('../commands/docs.ts')).copyDocs(command.optsWithGlobals(), terminal)),
    )
}
