import { inspect } from 'node:util'
import { Command, CommanderError, Option } from 'commander'
import { ClientError, InputError, StorageError } from '../contract/index.ts'
import { makeVisible } from '../report/words/visible-text.ts'
import { askIfMeant } from '../scoring/text/suggest-name.ts'
import { readEnvironmentFile } from '../settings/environment-file.ts'
import { readSecretFiles } from '../settings/secret-files.ts'
import { separateOutFiles } from './options/out-files.ts'
import { EXIT_BAD_INPUT } from './output/exit-codes.ts'
import { printError, printWarnings } from './output/notice.ts'
import { COLOUR_CHOICES, guardTerminal, openTerminal, readColour, type Terminal } from './output/terminal.ts'
import { readVersion } from './package-files.ts'
import { addArenaCommand, addRunCommands } from './program/run-commands.ts'
import { addDocsCommand, addFileCommands } from './program/file-commands.ts'
import { addCompletionCommand, addInstallCommand, addModelCommands } from './program/model-commands.ts'
import { addMcpCommand, addServeCommand, addWorkerCommand, addTeamCommands } from './program/serving-commands.ts'
import { configureHelp } from './program/help.ts'
import { addPartialScoreCommand } from './program/partial-score-command.ts'
import { addTrajectoriesCommand } from './program/trajectories-command.ts'
import { example, JSON_OPTION, type AddCommands } from './program/shared.ts'
import { addStoredCommands } from './program/stored-commands.ts'

export { saveMemory } from './save-memory.ts'

/** In the order of the help text. */
const groups: AddCommands[] = [
  addServeCommand,
  addRunCommands,
  addArenaCommand,
  addStoredCommands,
  addFileCommands,
  addTrajectoriesCommand,
  addPartialScoreCommand,
  addModelCommands,
  addDocsCommand,
  addInstallCommand,
  addCompletionCommand,
  addWorkerCommand,
  addTeamCommands,
]

/** The whole command line. `tools/site` draws its reference from it. */
export function buildProgram(
  terminal: Terminal,
  finish: (exitCode: number) => void,
  { isShortHelp = false } = {},
): Command {
  const program = new Command('benchmaker')
    .description('Benchmaker compares language models and says which differences are real.')
    .configureHelp(configureHelp(isShortHelp))
    .version(readVersion())
    .option(...JSON_OPTION)
    .addOption(new Option('--color <when>', 'colours in the terminal (default: auto)').choices(COLOUR_CHOICES))
    .addHelpText('after', example('', 'init', 'run suite.yaml --models demo/good,demo/poor'))
    .configureOutput({
      writeOut: (text) => terminal.stdout.write(text),
      writeErr: (text) => terminal.stderr.write(text),
      getOutHelpWidth: () => (Number.isFinite(terminal.columns) ? terminal.columns : 80),
      outputError: (text) => printError(describeUsageError(text), terminal),
    })
    .exitOverride()
  for (const add of groups) add(program, terminal, finish)
  addMcpCommand(program, finish, runQuietly)
  return program
}

/** Without this, a misspelled command would be an extra argument of `serve`, the default command. */
function refuseUnknownCommand(args: readonly string[], program: Command): void {
  const word = args.find((arg) => arg !== '--json')
  const names = [...program.commands.map((command) => command.name()), 'help']
  if (word === undefined || word.startsWith('-') || names.includes(word)) return
  const hint = askIfMeant(word, names)
  throw new InputError(`${word}: no such command${hint === '' ? '\nAll commands: benchmaker --help' : hint}`)
}

const WHERE_TO_FIND: Readonly<Record<string, string>> = {
  SUITE: 'Name a suite file; a first one is written by: benchmaker init',
  RUN: 'All runs: benchmaker list; the newest is called latest',
}

/** `unknown option '--modles'` as `--modles: no such option`, like all other errors. */
function describeUsageError(text: string): string {
  return text
    .trimEnd()
    .replace(/^error: /, '')
    .replace(/^unknown option '([^']*)'/, '$1: no such option')
    .replace(/^option '(?:-\w, )?(--[\w-]+)[^']*' argument '([^]*)' is invalid\. It /, '$1 $2: ')
    .replace(
      /^option '(?:-\w, )?(--[\w-]+)[^']*' argument '([^]*)' is invalid\. Allowed choices are /,
      '$1 $2: use one of ',
    )
    .replace(/^option '(?:-\w, )?(--[\w-]+)[^']*' argument missing/, '$1: its value is missing')
    .replace(/^command-argument value '([^]*)' is invalid for argument '\w+'\. Allowed choices are /, '$1: use one of ')
    .replace(/^missing required argument '(\w+)'/, (_all, name: string) =>
      [
        `${name.toUpperCase()}: is missing`,
        WHERE_TO_FIND[name.toUpperCase()] ?? 'What a command takes: benchmaker help COMMAND',
      ].join('\n'),
    )
    .replace(
      /^too many arguments for '([\w-]+)'\. Expected (\d+) arguments? but got (\d+): /,
      '$1: too many arguments, $3 instead of $2: ',
    )
    .replace(/\n\((Did you mean .*\?)\)$/, '\n$1')
    .replace(/\.$/, '')
}

/** Node prints an unexpected error itself, and its text may be foreign. */
function withVisibleStack(error: unknown): Error {
  const visible = new Error('unexpected error')
  visible.stack = makeVisible(inspect(error))
  return visible
}

/** Runs the command line and returns the exit code. */
export async function runProgram(args: string[], output: Terminal = openTerminal()): Promise<number> {
  const terminal = guardTerminal({ ...output, colour: readColour(args, output.colour) })
  let exitCode = 0
  const finish = (code: number) => {
    exitCode = code
  }
  const program = buildProgram(terminal, finish, { isShortHelp: args.includes('-h') && !args.includes('--help') })
  try {
    refuseUnknownCommand(args, program)
    await program.parseAsync(separateOutFiles(args, program), { from: 'user' })
    return exitCode
  } catch (error) {
    // Help and --version also end up here, with exit code 0.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : EXIT_BAD_INPUT
    if (!(error instanceof InputError || error instanceof StorageError || error instanceof ClientError))
      throw withVisibleStack(error)
    printError(error.message, terminal)
    return EXIT_BAD_INPUT
  }
}

/** Runs a command without a terminal and returns what it prints. */
async function runQuietly(args: string[]): Promise<{ exitCode: number; out: string; err: string }> {
  let out = ''
  let err = ''
  const exitCode = await runProgram(args, {
    stdout: { write: (text) => (out += text) },
    stderr: { write: (text) => (err += text) },
    columns: 100,
    colour: false,
    progress: false,
  })
  return { exitCode, out, err }
}

/**
 * Takes secrets from the files that `NAME_FILE` variables name, and the vendors' keys from `.env` in the current folder,
 * if it exists; keys that are already set win.
 */
export function loadEnvironmentFile(): void {
  try {
    Object.assign(process.env, readSecretFiles(process.env))
  } catch (error) {
    if (!(error instanceof InputError)) throw error
    process.stderr.write(`${error.message}\n`)
    process.exit(EXIT_BAD_INPUT)
  }
  const { keys, warnings } = readEnvironmentFile('.env', process.env)
  Object.assign(process.env, keys)
  printWarnings(warnings, { stderr: process.stderr })
}
