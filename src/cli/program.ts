import { inspect } from 'node:util'
import { Command, CommanderError, InvalidArgumentError } from 'commander'
import { distance } from 'fastest-levenshtein'
import { ClientError, InputError, StorageError } from '../contract/index.ts'
import { packageFile, readVersion } from './package-files.ts'
import type { PartialScoreOptions } from './commands/partial-score.ts'
import { partialScoreDescription, partialScoreHelp, partialScoreOptions } from './options/partial-score-options.ts'
import type { ArenaOptions } from './commands/arena.ts'
import { EXIT_BAD_INPUT } from './output/exit-codes.ts'
import { formats } from '../report/index.ts'
import { makeVisible } from '../report/words/visible-text.ts'
import { readEnvironmentFile } from '../settings/environment-file.ts'
import { collectFiles, describeExtensions, OUT_FLAGS, separateOutFiles } from './options/out-files.ts'
import {
  addEngineOptions,
  addLabelOptions,
  addGateOptions,
  addModelOptions,
  addRunOptions,
  combineOption,
  list,
  number,
  smallestDifferenceOption,
  type RunOptions,
} from './options/run-options.ts'
import { readColumnMap } from './options/reading-options.ts'
import type { ResumeOptions } from './commands/run.ts'
import type { LabelOptions } from './options/label-options.ts'
import type { ListOptions } from './commands/list.ts'
import type { ScoreOptions } from './commands/score.ts'
import type { RescoreOptions } from './commands/stored-commands.ts'
import type { ImportOptions } from './commands/import.ts'
import type { ServeOptions } from './commands/serve.ts'
import { printWarnings } from './output/print-warnings.ts'
import { guardTerminal, openTerminal, printJson, type Terminal } from './output/terminal.ts'

const NEXT_STEPS = `
These answers are simulated and ship with Benchmaker. To ask models yourself:
  benchmaker                                          opens the web app
  benchmaker init                                     writes a first suite
  benchmaker run suite.yaml                           asks simulated models, no key needed
  benchmaker run suite.yaml --models openai/gpt-4o    asks a real model; set OPENROUTER_API_KEY first
`

const JSON_OPTION = ['--json', 'print one JSON document and nothing else'] as const
const DATA_OPTION = [
  '--data <folder>',
  'where runs are stored (default: $BENCHMAKER_HOME, else the platform\u2019s data folder)',
] as const

/** A suite or config may be a stranger's: it must not read keys from the home folder. */
const ALLOW_FILES_OPTION = [
  '--allow-files <path>',
  'a folder or file outside its own folder that the suite or config may read; may be repeated',
  (path: string, earlier: string[] = []) => [...earlier, path],
] as const

/** A suite or config may be a stranger's: its code runs only if the user says so. */
const ALLOW_CODE_OPTION = [
  '--allow-code',
  'run the JavaScript in the suite or config, in a thread without access to files, network or Node',
] as const

const MAP_OPTION = [
  '--map <field=column,…>',
  'which columns of a CSV or JSONL file are which fields: prompt=question,expectedOutput=answer; scoringMethod may be a method itself',
  readColumnMap,
] as const

function example(...lines: string[]): string {
  return `\nExample:\n${lines.map((line) => `  benchmaker ${line}`).join('\n')}`
}

type Finish = (exitCode: number) => void

function addRunCommands(program: Command, terminal: Terminal, finish: Finish): void {
  const run = program
    .command('run')
    .description('run a suite: ask models every test case, score the answers and compare')
    .argument('<suite>', 'suite: YAML, JSON, CSV, JSONL or a promptfoo config')
  addGateOptions(addEngineOptions(addRunOptions(run)))
    .option(...ALLOW_FILES_OPTION)
    .option(...ALLOW_CODE_OPTION)
    .option(...MAP_OPTION)
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
        .description('resume a stopped run or series, and retry its errors')
        .argument('<run>', RUN_ARGUMENT),
    ),
  )
    .addOption(combineOption())
    .option(...ALLOW_CODE_OPTION)
    .option('--take-over', 'resume even if another process has claimed the run; use it only if that process is dead')
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
    .description('have models write a page, inspect it in a browser and judge it')
    .argument('<prompt>', 'what the page should be')
  addGateOptions(addEngineOptions(addModelOptions(arena)))
    .option('--quick-judge', 'judge the code alone without opening the pages: faster, but blind to their appearance')
    .option(...DATA_OPTION)
    .option(...JSON_OPTION)
    .addHelpText(
      'after',
      `\nAnswers may have 8192 tokens unless you set --max-tokens. --out report.html writes one file with every page's screenshots, code and grades.\n${example('arena "a pricing page with three plans" --models demo/good,demo/fair --judge demo/judge --out report.html')}`,
    )
    .action(async (prompt: string, _options: unknown, command: Command) =>
      finish(
        await (await import('./commands/arena.ts')).runArena(prompt, command.optsWithGlobals<ArenaOptions>(), terminal),
      ),
    )
}

const RUN_ARGUMENT = 'id, a unique prefix of an id, or latest'

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

  stored('rescore', 'rescore the stored answers of a run; only judges are asked', ['rescore latest --suite suite.yaml'])
    .argument('<run>', RUN_ARGUMENT)
    .option('--suite <file>', 'a changed suite (default: the suite of the run)')
    .option(...ALLOW_FILES_OPTION)
    .option(...ALLOW_CODE_OPTION)
    .option(...MAP_OPTION)
    .option('--judge <model,…>', 'judge model; several form a panel', list)
    .addOption(combineOption())
    .option('--base-url <url>', 'an OpenAI-compatible endpoint for judges')
    .addOption(smallestDifferenceOption())
    .action(async (name: string, _options: unknown, command: Command) =>
      finish(await (await load()).rescoreStored(name, optionsOf<RescoreOptions>(command), terminal)),
    )
  stored('list', 'list stored runs', ['list', 'list --search "capitals failed"', 'list --tag baseline'])
    .option('--limit <n>', 'how many, newest first (default 50)', number({ min: 1, whole: true }))
    .option('--search <words>', 'only runs with all these words in name, tags, note, suite, models, id or status')
    .option('--tag <a,b>', 'only runs with all these tags', list)
    .action(async (_options: unknown, command: Command) =>
      finish(await (await import('./commands/list.ts')).listRuns(optionsOf<ListOptions>(command), terminal)),
    )
  addLabelOptions(
    stored('label', 'name a run or its series, tag it or write a note', [
      'label latest --name "New prompt" --tag baseline,v2',
      "label latest --note ''",
    ]).argument('<run>', RUN_ARGUMENT),
    { replaces: true },
  ).action(async (name: string, _options: unknown, command: Command) =>
    finish(await (await import('./commands/label.ts')).labelStored(name, optionsOf<LabelOptions>(command), terminal)),
  )
  stored('trend', "show a suite's scores over time, and what changed", ['trend suite.yaml', 'trend "First look"'])
    .argument('<suite>', 'its file, or its name as list shows it')
    .option(...ALLOW_FILES_OPTION)
    .option(...ALLOW_CODE_OPTION)
    .option(...MAP_OPTION)
    .action(async (suite: string, _options: unknown, command: Command) =>
      finish(await (await import('./commands/trend.ts')).showTrend(suite, optionsOf(command), terminal)),
    )
  stored('show', 'show the results of a run, or of its series', ['show latest --cases'])
    .argument('<run>', RUN_ARGUMENT)
    .option('--cases', 'also show every answer with its score')
    .addOption(smallestDifferenceOption())
    .action(async (name: string, _options: unknown, command: Command) =>
      finish(await (await load()).showRun(name, optionsOf<{ cases?: boolean }>(command), terminal)),
    )
  stored('delete', 'delete a run and its answers', ['delete 20261115-0345 --yes'])
    .argument('<run>', RUN_ARGUMENT)
    .option('--yes', 'do not ask for confirmation')
    .action(async (name: string, _options: unknown, command: Command) =>
      finish(await (await load()).deleteRun(name, optionsOf<{ yes?: boolean }>(command), terminal)),
    )
  stored('compare', 'compare the models of one run, or of several', [
    'compare latest',
    'compare 20261114 20261115 --smallest-difference 5',
  ])
    .argument('<runs...>', RUN_ARGUMENT)
    .addOption(smallestDifferenceOption())
    .action(async (names: string[], _options: unknown, command: Command) =>
      finish(await (await load()).compareRuns(names, optionsOf(command), terminal)),
    )
  stored('export', 'write the results of a run or series to a file', ['export latest --out report.html results.csv'])
    .argument('<run>', RUN_ARGUMENT)
    .option(
      OUT_FLAGS,
      `format by extension: ${describeExtensions()}; accepts several files and may be repeated`,
      collectFiles,
    )
    .addOption(smallestDifferenceOption())
    .option('--damaged', 'export what can still be read of a damaged database; parts may be missing')
    .option('--format <format>', `write to stdout instead: ${formats.map(({ name }) => name).join(', ')}`)
    .action(async (name: string, _options: unknown, command: Command) =>
      finish(
        await (
          await load()
        ).exportRun(name, optionsOf<{ out?: string[]; format?: string; damaged?: boolean }>(command), terminal),
      ),
    )
  stored('import', 'import runs from a JSON export, or convert a CSV, JSONL or promptfoo file to a suite', [
    'import results.json',
    'import promptfooconfig.yaml --out suite.yaml',
  ])
    .argument('<file>', 'a JSON export, or a suite in another format')
    .option('--out <file>', 'where to write the suite: .yaml or .json (default: stdout)')
    .option('--keep-unchecked', 'score every answer 100 in cases without any usable check (default: not scored)')
    .option(...ALLOW_FILES_OPTION)
    .option(...ALLOW_CODE_OPTION)
    .option(...MAP_OPTION)
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
    .argument('[file]', 'where to write it', 'suite.yaml')
    .addHelpText('after', example('init'))
    .action(async (file: string, _options: unknown, command: Command) =>
      finish(await (await import('./commands/init.ts')).createStarterSuite(file, terminal, command.optsWithGlobals())),
    )
  program
    .command('models')
    .description('list models with prices and context sizes')
    .option('--provider <name>', 'demo, openrouter, openai … (default: all available)')
    .option('--search <text>', 'only models with this text in their name')
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
      printJson(suiteJsonSchema(), terminal)
    })
  program
    .command('calibrate')
    .description('measure how far a judge model can be trusted')
    .argument('<judge>', 'model')
    .option(
      '--samples <file>',
      'your own samples: a JSON list of { id, prompt, response, expectedOutput, expectedScore, tolerance }',
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
    .description('open the web app (the default command)')
    .option('--port <n>', 'use only this port (default: 4747, or the next free one)', readPort)
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
    .description('score the answers in a file; without files, those that ship with Benchmaker')
    .argument('[suite]', 'suite file')
    .argument('[answers]', 'answers file, JSON')
    .option(...ALLOW_FILES_OPTION)
    .addOption(smallestDifferenceOption())
    .option(...ALLOW_CODE_OPTION)
    .option(...MAP_OPTION)
    .option(...JSON_OPTION)
    .addHelpText('after', example('score', 'score examples/first-look/suite.yaml examples/first-look/answers.json'))
    .action(
      async (suiteFile: string | undefined, answersFile: string | undefined, _options: unknown, command: Command) => {
        const { json = false, ...options } = command.optsWithGlobals<ScoreOptions>()
        if (suiteFile !== undefined && answersFile === undefined)
          throw new InputError('the answers file is missing; use: benchmaker score SUITE ANSWERS')
        const { scoreFiles } = await import('./commands/score.ts')
        const files = {
          suiteFile: suiteFile ?? packageFile('examples/first-look/suite.yaml'),
          answersFile: answersFile ?? packageFile('examples/first-look/answers.json'),
        }
        finish(await scoreFiles({ ...files, ...options, json }, terminal))
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
    .description('Asks language models, scores their answers from 0 to 100 and says which differences are real.')
    .version(readVersion())
    .option(...JSON_OPTION)
    .addHelpText('after', example('', 'init', 'run suite.yaml --models demo/good,demo/poor'))
    .configureOutput({
      writeOut: (text) => terminal.stdout.write(text),
      writeErr: (text) => terminal.stderr.write(text),
      outputError: (text, write) => write(`${indentLines(text.trimEnd())}\n`),
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

/** The most typos for which a command is suggested. */
const MAX_TYPOS = 2

/** Without this, a misspelled command would be an extra argument of `serve`, the default command. */
function refuseUnknownCommand(args: readonly string[], program: Command): void {
  const word = args.find((arg) => arg !== '--json')
  const names = [...program.commands.map((command) => command.name()), 'help']
  if (word === undefined || word.startsWith('-') || names.includes(word)) return
  const least = Math.min(...names.map((name) => distance(name, word)))
  const near = names.filter((name) => distance(name, word) === least).join(' or ')
  const hint = least <= MAX_TYPOS ? `did you mean ${near}?` : 'benchmaker --help lists all commands'
  throw new InputError(`error: unknown command '${word}'; ${hint}`)
}

/** Foreign text in a message must not look like a line of its own. */
function indentLines(message: string): string {
  return message.replaceAll('\n', '\n  ')
}

/** Node prints an unexpected error itself, and its text may be foreign. */
function withVisibleStack(error: unknown): Error {
  const visible = new Error('unexpected error')
  visible.stack = makeVisible(inspect(error))
  return visible
}

/** Runs the command line and returns the exit code. */
export async function runProgram(args: string[], output: Terminal = openTerminal()): Promise<number> {
  const terminal = guardTerminal(output)
  let exitCode = 0
  const program = buildProgram(terminal, (code) => {
    exitCode = code
  })
  try {
    refuseUnknownCommand(args, program)
    await program.parseAsync(separateOutFiles(args, program), { from: 'user' })
    return exitCode
  } catch (error) {
    // Help and --version also end up here, with exit code 0.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : EXIT_BAD_INPUT
    if (!(error instanceof InputError || error instanceof StorageError || error instanceof ClientError))
      throw withVisibleStack(error)
    terminal.stderr.write(`${indentLines(error.message)}\n`)
    return EXIT_BAD_INPUT
  }
}

/** Takes the vendors' keys from `.env` in the current folder, if it exists; keys that are already set win. */
export function loadEnvironmentFile(): void {
  const { keys, warnings } = readEnvironmentFile('.env', process.env)
  Object.assign(process.env, keys)
  printWarnings(warnings, { stderr: process.stderr })
}
