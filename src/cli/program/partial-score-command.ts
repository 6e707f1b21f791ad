import type { Command } from 'commander'
import type { PartialScoreOptions } from '../commands/partial-score.ts'
import { partialScoreDescription, partialScoreHelp, partialScoreOptions } from '../options/partial-score-options.ts'
import { smallestDifferenceOption } from '../options/run-options.ts'
import type { AddCommands } from './shared.ts'

export const addPartialScoreCommand: AddCommands = (program, terminal, finish) => {
  const partial = program
    .command('partial-score')
    .description(partialScoreDescription)
    .argument('<files...>', 'results files')
    .addHelpText('after', partialScoreHelp)
    .action(async (files: string[], _options: unknown, command: Command) => {
      const { partialScore } = await import('../commands/partial-score.ts')
      finish(await partialScore(files, command.optsWithGlobals<PartialScoreOptions>(), terminal))
    })
  for (const { flags, description } of partialScoreOptions) partial.option(flags, description)
  partial.addOption(smallestDifferenceOption('tasks'))
}
