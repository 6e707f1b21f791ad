import { existsSync } from 'node:fs'
import { Command, CommanderError, InvalidArgumentError } from 'commander'
import { distance } from 'fastest-levenshtein'
import { ClientError, InputError, StorageError } from '../contract/index.ts'
import { packageFile, readVersion } from './package-files.ts'
import type { PartialScoreOptions } from './commands/partial-score.ts'
import { partialScoreDescription, partialScoreHelp, partialScoreOptions } from './options/partial-score-options.ts'
import type { ArenaOptions } from './commands/arena.ts'
import { EXIT_BAD_INPUT } from './output/exit-codes.ts'
import { formats } from '../report/index.ts'
import { collectFiles, describeExtensions, OUT_FLAGS, separateOutFiles } from './options/out-files.ts'
import {
  addEngineOptions,
  addGateOptions,
  addModelOptions,
  addRunOptions,
  combineOption,
  list,
  number,
  type RunOptions,
} from './options/run-options.ts'
import type { ResumeOptions } from './commands/run.ts'
import type { RescoreOptions } from './commands/stored-commands.ts'
import type { ImportOptions } from './commands/import.ts'
import type { ServeOptions } from './commands/serve.ts'
import { openTerminal, type Terminal } from './output/terminal.ts'

const NEXT_STEPS = `
These answers are simulated and ship with Benchmaker. To ask models yourself:
  benchmaker                                          opens the web app
  benchmaker init                                     writes a first suite
  benchmaker run suite.yaml                           asks simulated models, without a key
  benchmaker run suite.yaml --models openai/gpt-4o    asks a real one: set OPENROUTER_API_KEY first
`

const JSON_OPTION = ['--json', 'print one JSON document and nothing else'] as const
const DATA_OPTION = [
  '--data <folder>',
  'where runs are kept (default: $BENCHMAKER_HOME, else the platform\u2019s data folder)',
] as const

function example(...lines: string[]): string {
  return `\nExample:\n${lines.map((line) => `  benchmaker ${line}`).join('\n')}`
}

type Finish = (exitCode: number) => void

function addRunCommands(program: Command, terminal: Terminal, finish: Finish): void {
  const run = program
    .command('run')
    .description('ask models every test case of a suite, score and compare')
    .argument('<suite>', 'suite: YAML, JSON, CSV, JSONL or a promptfoo config')
  addGateOptions(addEngineOptions(addRunOptions(run)))
    .option(...DATA_OPTION)
    .option(...JSON_OPTION)
    .addHelpText(
      'after',
      example(
        'run suite.yaml --models openai/gpt-4o,anthropic/claude-sonnet-4 --repeat 3',
        'run suite.yaml --fail-under 80 --out results.xml',
      ),
    )
    .action(async (suite: string, _options: unknown, command: Command) => {
      const { runSuite } = await import('./commands/run.ts')
      finish(await runSuite(suite, command.optsWithGlobals<RunOptions>(), terminal))
    })

  addGateOptions(
    addEngineOptions(
      program
        .command('resume')
        .description('go on with a run that was stopped, and try its errors again')
        .argument('<run>', RUN_ARGUMENT),
    ),
  )
    .addOption(combineOption())
    .option('--take-over', 'resume although another process claims the run: when you know that it is dead')
    .option(...DATA_OPTION)
    .option(...JSON_OPTION)
    .addHelpText('after', example('resume latest'))
    .action(async (name: string, _options: unknown, command: Command) => {
      const { resumeStored } = await import('./commands/run.ts')
      finish(await resumeStored(name, command.optsWithGlobals<ResumeOptions>(), terminal))
    })
}

function addArenaCommand(program: Command, terminal: Terminal, finish: Finish): void {
  const arena = program
    .command('arena')
    .description('have models write a page, look at it in a browser and judge it')
    .argument('<prompt>', 'what the page should be')
  addGateOptions(addEngineOptions(addModelOptions(arena)))
    .option(
      '--quick-judge',
      'judge by the code alone, without opening the pages: quicker, and blind to what they look like',
    )
    .option(...DATA_OPTION)
    .option(...JSON_OPTION)
    .addHelpText(
      'after',
      `\nAnswers may have 8192 tokens unless --max-tokens says otherwise. --out report.html writes one file with every page's pictures, code and grades.\n${example('arena "a pricing page with three plans" --models demo/good,demo/fair --judge demo/judge --out report.html')}`,
    )
    .action(async (prompt: string, _options: unknown, command: Command) =>
      finish(
        await (await import('./commands/arena.ts')).runArena(prompt, command.optsWithGlobals<ArenaOptions>(), terminal),
      ),
    )
}

const RUN_ARGUMENT = 'id, a unique beginning of one, or latest'

function addStoredCommands(program: Command, terminal: Terminal, finish: Finish): void {
  const load = () => import('./commands/stored-commands.ts')
  const stored = (name: string, description: string, lines: string[]) =>
    program
      .command(name)
      .description(description)
      .option(...DATA_OPTION)
      .option(...JSON_OPTION)
      .addHelpText('after', example(...lines))
  const optionsOf = <T>(command: Command) => command.optsWithGlobals<T & { data?: string; json?: boolean }>()

  stored('rescore', 'score the stored answers of a run again; no model but judges is asked', [
    'rescore latest --suite suite.yaml',
  ])
    .argument('<run>', RUN_ARGUMENT)
    .option('--suite <file>', 'a changed suite (default: the one the run was made with)')
    .option('--judge <model,…>', 'judge model; several make a panel', list)
    .addOption(combineOption())
    .option('--base-url <url>', 'an OpenAI-compatible endpoint for judges')
    .action(async (name: string, _options: unknown, command: Command) =>
      finish(await (await load()).rescoreStored(name, optionsOf<RescoreOptions>(command), terminal)),
    )
  stored('list', 'list stored runs', ['list'])
    .option('--limit <n>', 'how many, newest first (default 50)', number({ min: 1, whole: true }))
    .action(async (_options: unknown, command: Command) =>
      finish(await (await load()).listRuns(optionsOf<{ limit?: number }>(command), terminal)),
    )
  stored('show', 'show the results of a run, or of its series', ['show latest --cases'])
    .argument('<run>', RUN_ARGUMENT)
    .option('--cases', 'every answer with its score too')
    .action(async (name: string, _options: unknown, command: Command) =>
      finish(await (await load()).showRun(name, optionsOf<{ cases?: boolean }>(command), terminal)),
    )
  stored('delete', 'delete a run and its answers', ['delete 20261115-0345 --yes'])
    .argument('<run>', RUN_ARGUMENT)
    .option('--yes', 'do not ask')
    .action(async (name: string, _options: unknown, command: Command) =>
      finish(await (await load()).deleteRun(name, optionsOf<{ yes?: boolean }>(command), terminal)),
    )
  stored('compare', 'compare the models of one run, or of several', ['compare latest', 'compare 20261114 20261115'])
    .argument('<runs...>', RUN_ARGUMENT)
    .action(async (names: string[], _options: unknown, command: Command) =>
      finish(await (await load()).compareRuns(names, optionsOf(command), terminal)),
    )
  stored('export', 'write the results of a run or series to a file', ['export latest --out report.html results.csv'])
    .argument('<run>', RUN_ARGUMENT)
    .option(OUT_FLAGS, `by extension: ${describeExtensions()}; several files, or several times`, collectFiles)
    .option('--format <format>', `to stdout instead: ${formats.map(({ name }) => name).join(', ')}`)
    .action(async (name: string, _options: unknown, command: Command) =>
      finish(await (await load()).exportRun(name, optionsOf<{ out?: string[]; format?: string }>(command), terminal)),
    )
  stored('import', 'store runs from a JSON export, or turn a CSV, JSONL or promptfoo file into a suite', [
    'import results.json',
    'import promptfooconfig.yaml --out suite.yaml',
  ])
    .argument('<file>', 'a JSON export, or a suite of another kind')
    .option('--out <file>', 'where the suite goes: .yaml or .json (default: stdout)')
    .option('--keep-unchecked', 'keep cases without any check that can be used')
    .action(async (file: string, _options: unknown, command: Command) =>
      finish(
        await (await import('./commands/import.ts')).importFile(file, optionsOf<ImportOptions>(command), terminal),
      ),
    )
}

function addOtherCommands(program: Command, terminal: Terminal, finish: Finish): void {
  program
    .command('init')
    .description('write a first suite')
    .argument('[file]', 'where', 'suite.yaml')
    .addHelpText('after', example('init'))
    .action(async (file: string, _options: unknown, command: Command) =>
      finish(await (await import('./commands/init.ts')).createStarterSuite(file, terminal, command.optsWithGlobals())),
    )
  program
    .command('models')
    .description('list models with prices and context sizes')
    .option('--provider <name>', 'demo, openrouter, openai … (default: every one that can be asked)')
    .option('--search <text>', 'only those with this in their name')
    .option('--base-url <url>', 'an OpenAI-compatible endpoint')
    .option(...JSON_OPTION)
    .addHelpText('after', example('models --search claude'))
    .action(async (_options: unknown, command: Command) =>
      finish(await (await import('./commands/models.ts')).listModels(command.optsWithGlobals(), terminal)),
    )
  program
    .command('schema')
    .description('print the JSON Schema of suite files, for editors')
    .addHelpText('after', example('schema > suite.schema.json'))
    .action(async () => {
      const { suiteJsonSchema } = await import('../scoring/index.ts')
      terminal.stdout.write(`${JSON.stringify(suiteJsonSchema(), null, 2)}\n`)
    })
  program
    .command('calibrate')
    .description('see how far a judge model can be trusted')
    .argument('<judge>', 'model')
    .option(
      '--samples <file>',
      'samples of your own: JSON list of { id, prompt, response, expectedOutput, expectedScore, tolerance }',
    )
    .option('--base-url <url>', 'an OpenAI-compatible endpoint')
    .option(...JSON_OPTION)
    .addHelpText('after', example('calibrate demo/judge'))
    .action(async (judge: string, _options: unknown, command: Command) =>
      finish(
        await (await import('./commands/calibrate.ts')).calibrateCommand(judge, command.optsWithGlobals(), terminal),
      ),
    )
  program
    .command('doctor')
    .description('check the installation, the data folder and the keys')
    .option(...DATA_OPTION)
    .option(...JSON_OPTION)
    .addHelpText('after', example('doctor'))
    .action(async (_options: unknown, command: Command) =>
      finish(await (await import('./commands/doctor.ts')).examineInstallation(command.optsWithGlobals(), terminal)),
    )
}

function addServeCommand(program: Command, terminal: Terminal, finish: Finish): void {
  program
    .command('serve', { isDefault: true })
    .description('open the web app (also without any command)')
    .option('--port <n>', 'on this port only (default: 4747, or the next free one)', readPort)
    .option('--no-open', 'do not open a browser')
    .option(...DATA_OPTION)
    .option(...JSON_OPTION)
    .addHelpText('after', example('serve', 'serve --port 8080 --no-open'))
    .action(async (_options: unknown, command: Command) =>
      finish(await (await import('./commands/serve.ts')).serve(command.optsWithGlobals<ServeOptions>(), terminal)),
    )
}

function readPort(text: string): number {
  const port = Number(text)
  if (/^\d+$/.test(text) && port <= 65_535) return port
  throw new InvalidArgumentError('It must be a whole number from 0 to 65535.')
}

function addFileCommands(program: Command, terminal: Terminal, finish: Finish): void {
  program
    .command('score')
    .description('score answers that are stored in a file; without files, those that ship with Benchmaker')
    .argument('[suite]', 'suite file')
    .argument('[answers]', 'answers file, JSON')
    .option(...JSON_OPTION)
    .addHelpText('after', example('score', 'score examples/first-look/suite.yaml examples/first-look/answers.json'))
    .action(
      async (suiteFile: string | undefined, answersFile: string | undefined, _options: unknown, command: Command) => {
        const { json = false } = command.optsWithGlobals<{ json?: boolean }>()
        if (suiteFile !== undefined && answersFile === undefined)
          throw new InputError('name the answers file too: benchmaker score SUITE ANSWERS')
        const { scoreFiles } = await import('./commands/score.ts')
        const files = {
          suiteFile: suiteFile ?? packageFile('examples/first-look/suite.yaml'),
          answersFile: answersFile ?? packageFile('examples/first-look/answers.json'),
        }
        finish(await scoreFiles({ ...files, json }, terminal))
        if (suiteFile === undefined && !json) terminal.stdout.write(NEXT_STEPS)
      },
    )

  const partial = program
    .command('partial-score')
    .description(partialScoreDescription)
    .argument('<files...>', 'results files')
    .addHelpText('after', partialScoreHelp)
    .action(async (files: string[], _options: unknown, command: Command) => {
      const { partialScore } = await import('./commands/partial-score.ts')
      finish(await partialScore(files, command.optsWithGlobals<PartialScoreOptions>(), terminal))
    })
  for (const { flags, description } of partialScoreOptions) partial.option(flags, description)
}

function buildProgram(terminal: Terminal, finish: Finish): Command {
  const program = new Command('benchmaker')
    .description('Asks language models, scores their answers 0-100 and says which differences are real.')
    .version(readVersion())
    .option(...JSON_OPTION)
    .addHelpText('after', example('', 'init', 'run suite.yaml --models demo/good,demo/poor'))
    .configureOutput({
      writeOut: (text) => terminal.stdout.write(text),
      writeErr: (text) => terminal.stderr.write(text),
    })
    .exitOverride()
  addServeCommand(program, terminal, finish)
  addRunCommands(program, terminal, finish)
  addArenaCommand(program, terminal, finish)
  addStoredCommands(program, terminal, finish)
  addFileCommands(program, terminal, finish)
  addOtherCommands(program, terminal, finish)
  return program
}

/** How many letters may be wrong for a word to be taken for another. */
const MOST_WRONG_LETTERS = 2

/** Without this, a misspelt command would be an argument too many for `serve`, which needs no name. */
function refuseUnknownCommand(args: readonly string[], program: Command): void {
  const word = args.find((arg) => arg !== '--json')
  const names = [...program.commands.map((command) => command.name()), 'help']
  if (word === undefined || word.startsWith('-') || names.includes(word)) return
  const least = Math.min(...names.map((name) => distance(name, word)))
  const near = names.filter((name) => distance(name, word) === least).join(' or ')
  const hint = least <= MOST_WRONG_LETTERS ? `did you mean ${near}?` : 'benchmaker --help lists those there are'
  throw new InputError(`error: unknown command '${word}'; ${hint}`)
}

/** Runs the command line and gives the exit code. */
export async function runProgram(args: string[], terminal: Terminal = openTerminal()): Promise<number> {
  let exitCode = 0
  const program = buildProgram(terminal, (code) => {
    exitCode = code
  })
  try {
    refuseUnknownCommand(args, program)
    await program.parseAsync(separateOutFiles(args, program), { from: 'user' })
    return exitCode
  } catch (error) {
    // Help and --version end this way too, with exit code 0.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : EXIT_BAD_INPUT
    if (!(error instanceof InputError || error instanceof StorageError || error instanceof ClientError)) throw error
    terminal.stderr.write(`${error.message}\n`)
    return EXIT_BAD_INPUT
  }
}

/** `.env` in the current folder, if there is one; variables already set win. */
export function loadEnvironmentFile(): void {
  if (existsSync('.env')) process.loadEnvFile('.env')
}
