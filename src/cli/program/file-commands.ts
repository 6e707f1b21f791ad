import { Option, type Command } from 'commander'
import { InputError } from '../../contract/index.ts'
import { chartThemes } from '../../report/charts/svg/canvas.ts'
import { reportChartKinds } from '../../report/charts/svg/charts.ts'
import type { ChartOptions } from '../commands/results/chart.ts'
import type { ImportOptions } from '../commands/importing/import.ts'
import type { ExportOptions } from '../commands/results/stored-commands.ts'
import type { ScoreOptions } from '../commands/score.ts'
import { withStdin } from '../options/stdin-file.ts'
import { addSharingOptions } from '../options/sharing-options.ts'
import { collectTexts, FORMAT_HELP, OUT_FLAGS, OUT_HELP } from '../options/out-files.ts'
import { addResultsOptions } from '../options/reading-options.ts'
import { number, sameWithinOption, smallestDifferenceOption, addOutputOptions } from '../options/run-options.ts'
import { printJson } from '../output/terminal.ts'
import { packageFile } from '../package-files.ts'
import {
  addStoredCommand,
  ALLOW_CODE_OPTION,
  ALLOW_FILES_OPTION,
  example,
  JSON_OPTION,
  MAP_OPTION,
  RECIPE_OPTION,
  optionsOf,
  RUN_ARGUMENT,
  type AddCommands,
} from './shared.ts'

const NEXT_STEPS = `
These answers are simulated and ship with Benchmaker. To run models yourself:
  benchmaker                                          opens the web app
  benchmaker init                                     writes a first suite
  benchmaker run suite.yaml                           runs simulated models, no key needed
  benchmaker run suite.yaml --models openai/gpt-4o    runs a real model; set OPENROUTER_API_KEY first
`

/** `export`, `chart`, `import`, `score`, `init` and `schema`. */
export const addFileCommands: AddCommands = (program, terminal, finish) => {
  const exporting = addStoredCommand(program, {
    name: 'export',
    description: 'write HTML, CSV, JSON, Markdown, JUnit or LaTeX',
    examples: [
      'export latest --out report.html results.csv',
      'export latest --out paper.html --anonymous --no-texts',
      'export latest --out pages.html --without-names',
    ],
  })
    .argument('<run>', RUN_ARGUMENT)
    .option(OUT_FLAGS, OUT_HELP, collectTexts)
    .addOption(smallestDifferenceOption())
    .addOption(sameWithinOption())
    .option('--without-names', 'HTML of pages: Model A, Model B, … instead of names')
    .option('--damaged', 'what can still be read of a damaged database')
    .option('--format <format>', FORMAT_HELP)
  addSharingOptions(exporting).action(async (name: string, _options: unknown, command: Command) =>
    finish(
      await (
        await import('../commands/results/stored-commands.ts')
      ).exportRun(name, optionsOf<ExportOptions>(command), terminal),
    ),
  )

  const charting = addStoredCommand(program, {
    name: 'chart',
    description: 'draw a chart as SVG or PNG',
    examples: [
      'chart latest --out leaderboard.svg',
      'chart latest --kind cost --theme dark --out cost.png',
      'chart "First look" --kind trend --out trend.svg',
    ],
  })
    .argument('<run>', `${RUN_ARGUMENT}; with --kind trend, the file or name of a suite`)
    .addOption(
      new Option('--kind <kind>', 'what to draw').choices([...reportChartKinds, 'trend']).default('leaderboard'),
    )
    .addOption(new Option('--theme <theme>', 'its colours').choices(chartThemes).default('light'))
    .option('--out <file>', 'an .svg or .png file (default: prints SVG)')
    .option('--anonymous', 'Model A, Model B, … instead of names')
    .addOption(smallestDifferenceOption())
    .addOption(sameWithinOption())
    .option(...ALLOW_FILES_OPTION)
    .option(...ALLOW_CODE_OPTION)
    .option(...MAP_OPTION)
    .option(...RECIPE_OPTION)
  charting.action(async (name: string, _options: unknown, command: Command) => {
    const { chartStored } = await import('../commands/results/chart.ts')
    finish(await chartStored(name, optionsOf<ChartOptions>(command), terminal))
  })

  const importing = addStoredCommand(program, {
    name: 'import',
    description: 'read a dataset, a promptfoo config, other results',
    examples: [
      'import gpt-5.eval claude.eval',
      'import results.csv --columns id=question_id,score=grade --scale 0:10',
      'import promptfooconfig.yaml --out suite.yaml',
      'import mmlu.csv --out mmlu.yaml',
      'import hf://datasets/allenai/ai2_arc/ARC-Challenge@test --limit 200 --out arc.yaml',
      'import --from sqlite:benchmaker.db',
    ],
  })
    .argument(
      '[files...]',
      'results (Inspect, promptfoo, lm-eval, OpenAI evals, tables), JSON exports, or one suite or dataset; hf://datasets/OWNER/NAME[/CONFIG][@SPLIT]; - (stdin)',
    )
    .option(
      '--from <database>',
      'copy all from sqlite:FILE or postgres://…\nFrom another database of Benchmaker; in full postgres://user:password@host:port/database.',
    )
    .option('--out <file>', 'where to write the suite: .yaml or .json (default: stdout)')
    .option('--limit <n>', 'read at most this many rows of a dataset', number({ min: 1, isWhole: true }))
    .option('--keep-unchecked', 'score 100 what has no usable check, not unscored')
    .option(...ALLOW_FILES_OPTION)
    .option(...ALLOW_CODE_OPTION)
    .option(...MAP_OPTION)
    .option(...RECIPE_OPTION)
  addResultsOptions(importing).action(async (files: string[], _options: unknown, command: Command) => {
    const { importFiles } = await import('../commands/importing/import.ts')
    const options = optionsOf<ImportOptions>(command)
    finish(await withStdin(files, terminal, (paths, own) => importFiles(paths, options, own)))
  })

  const score = program
    .command('score')
    .description('score answers you already have')
    .argument('[suite]', 'suite file (default: the built-in example)')
    .argument('[answers]', 'answers file, JSON; - is stdin')
    .option(...ALLOW_FILES_OPTION)
    .addOption(smallestDifferenceOption())
    .addOption(sameWithinOption())
    .option(...ALLOW_CODE_OPTION)
    .option(...MAP_OPTION)
    .option(...RECIPE_OPTION)
    .option(...JSON_OPTION)
    .addHelpText('after', example('score', 'score examples/first-look/suite.yaml examples/first-look/answers.json'))
  addOutputOptions(score).action(
    async (suiteFile: string | undefined, answersFile: string | undefined, _options: unknown, command: Command) => {
      const { json = false, ...options } = command.optsWithGlobals<ScoreOptions>()
      if (suiteFile !== undefined && answersFile === undefined)
        throw new InputError('the answers file is missing; use: benchmaker score SUITE ANSWERS')
      const { scoreFiles } = await import('../commands/score.ts')
      const files = {
        suiteFile: suiteFile ?? packageFile('examples/first-look/suite.yaml'),
        answersFile: answersFile ?? packageFile('examples/first-look/answers.json'),
      }
      finish(
        await withStdin([files.suiteFile, files.answersFile], terminal, ([suite, answers], own) =>
          scoreFiles({ suiteFile: suite!, answersFile: answers!, ...options, json }, own),
        ),
      )
      if (suiteFile === undefined && !json) terminal.stdout.write(NEXT_STEPS)
    },
  )

  program
    .command('init')
    .description('write a first suite of 12 cases')
    .argument('[file]', 'where to write it', 'suite.yaml')
    .addHelpText('after', example('init'))
    .action(async (file: string, _options: unknown, command: Command) =>
      finish(await (await import('../commands/init.ts')).createStarterSuite(file, terminal, command.optsWithGlobals())),
    )

  program
    .command('schema')
    .description('print the JSON Schema of suite files, for editors')
    .addHelpText('after', example('schema > suite.schema.json'))
    .action(async () => {
      const { suiteJsonSchema } = await import('../../scoring/index.ts')
      printJson(suiteJsonSchema(), terminal)
    })
}

export const addDocsCommand: AddCommands = (program, terminal, finish) => {
  program
    .command('docs')
    .description('say where the docs are, or copy them for offline use')
    .option('--output <folder>', 'copy it there; the folder must be new, empty or an older copy')
    .option(...JSON_OPTION)
    .addHelpText('after', example('docs', 'docs --output benchmaker-docs'))
    .action(async (_options: unknown, command: Command) =>
      finish(await (await import('../commands/docs.ts')).copyDocs(command.optsWithGlobals(), terminal)),
    )
}
