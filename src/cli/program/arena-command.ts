import type { Command } from 'commander'
import type { ArenaOptions } from '../commands/arena.ts'
import type { ArenaRankingOptions } from '../commands/results/arena-ranking.ts'
import { addArenaOptions, addEngineOptions, addGateOptions } from '../options/run-options.ts'
import { addSharingOptions } from '../options/sharing-options.ts'
import { addStoredCommand, DATA_OPTION, example, JSON_OPTION, optionsOf, type AddCommands } from './shared.ts'

/** `arena` and `arena-ranking`. */
export const addArenaCommand: AddCommands = (program, terminal, finish) => {
  const arena = program
    .command('arena')
    .description('have models write a page, inspect it in a browser and judge it')
    .argument('<prompt>', 'what the page should be')
  addGateOptions(addEngineOptions(addArenaOptions(arena)))
    .option('--follow <run>', 'continue a Code Arena run: each model gets the prompt after its own earlier page')
    .option(...DATA_OPTION)
    .option(...JSON_OPTION)
    .addHelpText(
      'after',
      `\nAnswers may have 8192 tokens unless you set --max-tokens. --out report.html writes one file with every page's screenshots, code and grades.\n${example('arena "a pricing page with three plans" --models demo/good,demo/fair --judge demo/judge --out report.html', 'arena "make it blue" --follow latest')}`,
    )
    .action(async (prompt: string, _options: unknown, command: Command) =>
      finish(
        await (
          await import('../commands/arena.ts')
        ).runArena(prompt, command.optsWithGlobals<ArenaOptions>(), terminal),
      ),
    )

  const ranking = addStoredCommand(program, {
    name: 'arena-ranking',
    description: 'rank the models of all Code Arena runs by votes and by judgements',
    examples: ['arena-ranking', 'arena-ranking --blind --anonymous --out ranking.html'],
  })
    .option('--blind', 'leave out votes by people who had seen the names')
    .option('--out <file>', 'an .html file with the ranking and the runs behind it')
  addSharingOptions(ranking).action(async (_options: unknown, command: Command) => {
    const { showArenaRanking } = await import('../commands/results/arena-ranking.ts')
    finish(await showArenaRanking(optionsOf<ArenaRankingOptions>(command), terminal))
  })
}
