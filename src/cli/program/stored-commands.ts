import { InputError } from '../../contract/index.ts'
import { Option, type Command } from 'commander'
import type { CheckOptions } from '../commands/check.ts'
import type { CompareOptions } from '../commands/results/compare.ts'
import type { ShowOptions } from '../commands/results/stored-commands.ts'
import type { RateOptions } from '../commands/rate/rate.ts'
import type { ListOptions } from '../commands/results/list.ts'
import type { LabelOptions } from '../options/label-options.ts'
import { withStdin } from '../options/stdin-file.ts'
import { collectTexts, FORMAT_HELP, OUT_FLAGS, OUT_HELP } from '../options/out-files.ts'
import { addResultsOptions } from '../options/reading-options.ts'
import {
  addLabelOptions,
  addOutputOptions,
  list,
  number,
  referenceOption,
  sameWithinOption,
  smallestDifferenceOption,
} from '../options/run-options.ts'
import { addSharingOptions } from '../options/sharing-options.ts'
import {
  addStoredCommand,
  ALLOW_CODE_OPTION,
  ALLOW_FILES_OPTION,
  MAP_OPTION,
  RECIPE_OPTION,
  optionsOf,
  RUN_ARGUMENT,
  type AddCommands,
} from './shared.ts'

const load = () => import('../commands/results/stored-commands.ts')

/** `list`, `label`, `trend`, `ranking`, `check`, `show`, `rate`, `compare` and `delete`. */
export const addStoredCommands: AddCommands = (program, terminal, finish) => {
  addStoredCommand(program, {
    name: 'list',
    description: 'list runs',
    examples: ['list', 'list --search "capitals failed"', 'list --tag baseline'],
  })
    .option('--limit <n>', 'how many, newest first (default 50)', number({ min: 1, isWhole: true }))
    .option(
      '--search <words>',
      'only runs with all these words\nThey may be in name, tags, note, suite, models, id or status.',
    )
    .option('--tag <a,b>', 'only runs with all these tags', list)
    .action(async (_options: unknown, command: Command) =>
      finish(await (await import('../commands/results/list.ts')).listRuns(optionsOf<ListOptions>(command), terminal)),
    )

  const label = addStoredCommand(program, {
    name: 'label',
    description: 'name a run or series, tag it or write a note',
    examples: ['label latest --name "New prompt" --tag baseline,v2', "label latest --note ''"],
  }).argument('<run>', RUN_ARGUMENT)
  addLabelOptions(label, { replaces: true }).action(async (name: string, _options: unknown, command: Command) =>
    finish(
      await (
        await import('../commands/results/label.ts')
      ).labelStored(name, optionsOf<LabelOptions>(command), terminal),
    ),
  )

  addStoredCommand(program, {
    name: 'trend',
    description: 'show scores over time, what changed, and drift',
    examples: ['trend suite.yaml', 'trend "First look"', 'trend suite.yaml --fail-on-drift'],
  })
    .argument('<suite>', 'its file, - (stdin), or its name as list shows it')
    .option('--fail-on-drift', 'exit with 1 if a model has drifted')
    .addOption(
      new Option('--output <level>', 'full: every run, every test (default: normal)').choices(['normal', 'full']),
    )
    .option(...ALLOW_FILES_OPTION)
    .option(...ALLOW_CODE_OPTION)
    .option(...MAP_OPTION)
    .option(...RECIPE_OPTION)
    .action(async (suite: string, _options: unknown, command: Command) =>
      finish(await (await import('../commands/results/trend.ts')).showTrend(suite, optionsOf(command), terminal)),
    )

  addStoredCommand(program, {
    name: 'ranking',
    description: 'rank models over several suites',
    examples: ['ranking', 'ranking "First look" Capitals', 'ranking --weigh cases --json'],
  })
    .argument('[suite|run...]', 'names of suites, or ids of runs (default: all)')
    .addOption(
      new Option('--weigh <by>', 'equal weight per suite (default), or by the number of cases').choices([
        'suites',
        'cases',
      ]),
    )
    .action(async (names: string[], _options: unknown, command: Command) =>
      finish(await (await import('../commands/results/ranking.ts')).showRanking(names, optionsOf(command), terminal)),
    )

  addStoredCommand(program, {
    name: 'check',
    description: 'find wrong keys, duplicates, dead cases',
    examples: ['check suite.yaml', 'check suite.yaml latest --json', 'check "First look"'],
  })
    .argument('<suite>', 'its file, or its name as list shows it')
    .argument('[runs...]', `${RUN_ARGUMENT} (default: the newest runs of the suite)`)
    .option(...ALLOW_FILES_OPTION)
    .option(...ALLOW_CODE_OPTION)
    .option(...MAP_OPTION)
    .option(...RECIPE_OPTION)
    .option('--keep-clusters', 'write variants of one template as clusters')
    .action(async (suite: string, names: string[], _options: unknown, command: Command) => {
      const { checkStored } = await import('../commands/check.ts')
      const options = optionsOf<CheckOptions>(command)
      if (suite === '-' && options.keepClusters)
        throw new InputError('--keep-clusters writes into the file of a suite, and - is stdin; name the file')
      finish(await withStdin([suite], terminal, ([file], own) => checkStored(file!, names, options, own)))
    })

  const show = addStoredCommand(program, {
    name: 'show',
    description: 'show a run or series',
    examples: ['show latest', 'show latest --failed', 'show latest --case capital,leap-year'],
  })
    .argument('<run>', RUN_ARGUMENT)
    .option('--failed', 'what failed instead, hardest first')
    .option('--case <id|tag,…>', 'these cases with their answers instead', collectTexts)
    .option('--model <name>', 'of this model only; alone: what it failed')
    .option('--cases', 'also show every answer with its score')
    .option(
      '--all-ratings',
      'use ratings of self-chosen answers too\nScores are corrected by all ratings, also of answers that people chose themselves.',
    )
    .option('--style-control', 'rate at equal length and formatting, too\nFor answers compared in pairs.')
    .addOption(smallestDifferenceOption())
    .addOption(sameWithinOption())
    .addOption(referenceOption())
  addOutputOptions(show).action(async (name: string, _options: unknown, command: Command) =>
    finish(await (await load()).showRun(name, optionsOf<ShowOptions>(command), terminal)),
  )

  addStoredCommand(program, {
    name: 'rate',
    description: 'rate answers yourself, blind, drawn at random',
    examples: [
      'rate latest --rater Ann',
      'rate latest --pass-fail --per-model 30',
      'rate latest --same-cases            to correct how far the models are apart, too',
      'rate latest --export answers.csv    for people without Benchmaker',
      'rate latest --import answers.csv --rater Bob',
    ],
  })
    .argument('<run>', RUN_ARGUMENT)
    .option('--rater <name>', 'who rates (default: asks)')
    .option('--per-model <n>', 'answers to draw of each model (default 50)', number({ min: 1, isWhole: true }))
    .option('--more <n>', 'draw more answers of each model for the same queue', number({ min: 1, isWhole: true }))
    .option('--pass-fail', 'rate pass or fail instead of 0 to 100')
    .option('--shared <n>', 'everyone rates the first n, the others are rated once', number({ min: 0, isWhole: true }))
    .option('--same-cases', 'draw the same cases for all models: their differences are corrected too')
    .option('--seed <text>', 'repeats a draw (default: a new one)')
    .option('--new', 'draw a new queue even if there is one')
    .option('--export <file>', 'write the answers to a CSV file instead, to be rated there')
    .option('--import <file>', 'read the ratings from such a file')
    .action(async (name: string, _options: unknown, command: Command) => {
      const { rateRun } = await import('../commands/rate/rate.ts')
      finish(await rateRun(name, optionsOf<RateOptions>(command), terminal))
    })

  const comparing = addStoredCommand(program, {
    name: 'compare',
    description: 'compare runs, or results of other tools, case by case',
    examples: [
      'compare latest',
      'compare gpt-5.eval claude.eval    results of other tools: imports them first',
      'compare 20261114 20261115 --smallest-difference 5',
      'compare 20261114:openai/gpt-4o latest:openai/gpt-5    two models of two runs',
      'compare 20261114 latest --models openai/gpt-4o --cases',
      'compare 20261114 latest --out report.html comment.pr.md',
    ],
  })
    .argument('<runs...>', `${RUN_ARGUMENT}, or a results file; RUN:MODEL is one model of it`)
    .option('--models <a,b>', 'only these models (default: all)', list)
    .option('--cases', 'every case that is better or worse (default: 10 each)')
    .option(
      '--changed-too',
      'compare edited cases too\nTheir prompt, expected output or scoring changed between the runs.',
    )
    .addOption(smallestDifferenceOption())
    .addOption(sameWithinOption())
    .addOption(referenceOption())
    .option(OUT_FLAGS, OUT_HELP, collectTexts)
    .option('--format <format>', FORMAT_HELP)
  addSharingOptions(addResultsOptions(addOutputOptions(comparing))).action(
    async (names: string[], _options: unknown, command: Command) => {
      const { compareStored } = await import('../commands/results/compare.ts')
      finish(await compareStored(names, optionsOf<CompareOptions>(command), terminal))
    },
  )

  addStoredCommand(program, {
    name: 'delete',
    description: 'delete a run and its answers',
    examples: ['delete 20261115-0345 --yes'],
  })
    .argument('<run>', RUN_ARGUMENT)
    .option('--yes', 'do not ask for confirmation')
    .action(async (name: string, _options: unknown, command: Command) =>
      finish(await (await load()).deleteRun(name, optionsOf<{ yes?: boolean }>(command), terminal)),
    )
}
