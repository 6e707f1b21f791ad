import type { Command } from 'commander'
import { commonOptions, parameterOptions } from '../../contract/index.ts'
import type { RescoreOptions } from '../commands/results/stored-commands.ts'
import {
  addEngineOptions,
  addGateOptions,
  addRunOptions,
  flagOf,
  smallestDifferenceOption,
  type RunOptions,
  addArenaOptions,
} from '../options/run-options.ts'
import {
  addStoredCommand,
  ALLOW_CODE_OPTION,
  ALLOW_COMMANDS_OPTION,
  ALLOW_FILES_OPTION,
  DATA_OPTION,
  example,
  JSON_OPTION,
  MAP_OPTION,
  RECIPE_OPTION,
  optionsOf,
  RUN_ARGUMENT,
  type AddCommands,
} from './shared.ts'
import type { ArenaOptions } from '../commands/arena.ts'
import type { ArenaRankingOptions } from '../commands/results/arena-ranking.ts'
import { withStdin } from '../options/stdin-file.ts'
import { addSharingOptions } from '../options/sharing-options.ts'

/** `run`, `resume` and `rescore`. */
export const addRunCommands: AddCommands = (program, terminal, finish) => {
  const run = program
    .command('run')
    .description('run models on a suite, score, compare')
    .argument('<suite>', 'YAML, JSON, CSV, JSONL, a promptfoo config, - (stdin), or the name of a suite of the web app')
  addGateOptions(addEngineOptions(addRunOptions(run)))
    .option(...ALLOW_FILES_OPTION)
    .option(...ALLOW_CODE_OPTION)
    .option(...ALLOW_COMMANDS_OPTION)
    .option(...MAP_OPTION)
    .option(...RECIPE_OPTION)
    .option(...DATA_OPTION)
    .option(...JSON_OPTION)
    .addHelpText(
      'after',
      example(
        'run suite.yaml',
        'run suite.yaml --models openai/gpt-5,ollama/llama3.2 --max-cost 2',
        'run suite.yaml --baseline latest --fail-under 80 --out results.xml',
      ),
    )
    .action(async (suite: string, _options: unknown, command: Command) => {
      const { runSuite } = await import('../commands/run.ts')
      const options = command.optsWithGlobals<RunOptions>()
      finish(await withStdin([suite], terminal, ([file], own) => runSuite(file!, options, own)))
    })

  addGateOptions(
    addEngineOptions(
      program
        .command('resume')
        .description('send the rest of a stopped run, retry errors')
        .argument('<run>', RUN_ARGUMENT),
    ),
  )
    .option(...ALLOW_CODE_OPTION)
    .option(...ALLOW_COMMANDS_OPTION)
    .addOption(flagOf(parameterOptions.headers))
    .option('--take-over', 'although another process has it; only if that is dead')
    .option(...DATA_OPTION)
    .option(...JSON_OPTION)
    .addHelpText('after', example('resume latest'))
    .action(async (name: string, _options: unknown, command: Command) => {
      const { resumeStored } = await import('../commands/run.ts')
      finish(await resumeStored(name, command.optsWithGlobals<RunOptions>(), terminal))
    })

  addStoredCommand(program, {
    name: 'rescore',
    description: 'score stored answers again; only judges get requests',
    examples: ['rescore latest --suite suite.yaml'],
  })
    .argument('<run>', RUN_ARGUMENT)
    .option('--suite <file>', 'a changed suite (default: the suite of the run)')
    .option(...ALLOW_FILES_OPTION)
    .option(...ALLOW_CODE_OPTION)
    .option(...MAP_OPTION)
    .option(...RECIPE_OPTION)
    .addOption(flagOf(commonOptions.judgeModelIds))
    .addOption(flagOf(commonOptions.combineJudges))
    .option('--base-url <url>', 'an OpenAI-compatible endpoint for judges')
    .addOption(smallestDifferenceOption())
    .action(async (name: string, _options: unknown, command: Command) =>
      finish(
        await (
          await import('../commands/results/stored-commands.ts')
        ).rescoreStored(name, optionsOf<RescoreOptions>(command), terminal),
      ),
    )
}

/** `arena` and `arena-ranking`. */
export const addArenaCommand: AddCommands = (program, terminal, finish) => {
  const arena = program
    .command('arena')
    .description('let models write a page, inspect and judge it')
    .argument('<prompt>', 'what the page should be')
  addGateOptions(addEngineOptions(addArenaOptions(arena)))
    .option('--follow <run>', 'each model continues its own page of that run')
    .option(...DATA_OPTION)
    .option(...JSON_OPTION)
    .addHelpText(
      'after',
      `\nWithout --max-tokens answers have up to 8192 tokens. --out report.html writes\none file with the screenshots, code and grades of every page.\n${example('arena "a pricing page with three plans" --models demo/good,demo/fair --judge demo/judge --out report.html', 'arena "make it blue" --follow latest')}`,
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
    description: 'rank models by votes and by judgements of their pages',
    examples: ['arena-ranking', 'arena-ranking --blind --anonymous --out ranking.html'],
  })
    .option('--blind', 'leave out votes by people who had seen the names')
    .option('--out <file>', 'an .html file with the ranking and the runs behind it')
  addSharingOptions(ranking).action(async (_options: unknown, command: Command) => {
    const { showArenaRanking } = await import('../commands/results/arena-ranking.ts')
    finish(await showArenaRanking(optionsOf<ArenaRankingOptions>(command), terminal))
  })
}
