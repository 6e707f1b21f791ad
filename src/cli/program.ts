import { Command, CommanderError } from 'commander'
import { InputError } from '../contract/index.ts'
import { packageFile, readVersion } from './package-files.ts'
import type { PartialScoreOptions } from './partial-score.ts'
import { partialScoreDescription, partialScoreHelp, partialScoreOptions } from './partial-score-options.ts'
import { openTerminal, type Terminal } from './terminal.ts'

/** Bad usage or bad input: nothing was done. */
const EXIT_BAD_INPUT = 2

const NEXT_STEPS = `
These answers are simulated and ship with Benchmaker. To score your own:
  benchmaker score SUITE.yaml ANSWERS.json
Both files of this example: examples/first-look/
`

function buildProgram(terminal: Terminal, finish: (exitCode: number) => void): Command {
  const program = new Command('benchmaker')
    .description('Scores answers of language models 0-100 and says which differences are real.')
    .version(readVersion())
    .option('--json', 'print one JSON document and nothing else')
    .addHelpText('after', '\nExample:\n  benchmaker             the built-in example\n  benchmaker score suite.yaml answers.json')
    .configureOutput({ writeOut: (text) => terminal.stdout.write(text), writeErr: (text) => terminal.stderr.write(text) })
    .exitOverride()
    .action(async ({ json = false }: { json?: boolean }) => {
      const { scoreFiles } = await import('./score-command.ts')
      const suiteFile = packageFile('examples/first-look/suite.yaml')
      const answersFile = packageFile('examples/first-look/answers.json')
      finish(await scoreFiles({ suiteFile, answersFile, json }, terminal))
      if (!json) terminal.stdout.write(NEXT_STEPS)
    })

  program
    .command('score')
    .description('score stored answers')
    .argument('<suite>', 'suite file, YAML or JSON')
    .argument('<answers>', 'answers file, JSON')
    .option('--json', 'print one JSON document and nothing else')
    .addHelpText('after', '\nExample:\n  benchmaker score examples/first-look/suite.yaml examples/first-look/answers.json')
    .action(async (suiteFile: string, answersFile: string, _options: unknown, command: Command) => {
      const { json = false } = command.optsWithGlobals<{ json?: boolean }>()
      const { scoreFiles } = await import('./score-command.ts')
      finish(await scoreFiles({ suiteFile, answersFile, json }, terminal))
    })

  const partial = program
    .command('partial-score')
    .description(partialScoreDescription)
    .argument('<files...>', 'results files')
    .addHelpText('after', partialScoreHelp)
    .action(async (files: string[], _options: unknown, command: Command) => {
      const { partialScore } = await import('./partial-score.ts')
      finish(await partialScore(files, command.optsWithGlobals<PartialScoreOptions>(), terminal))
    })
  for (const { flags, description } of partialScoreOptions) partial.option(flags, description)

  return program
}

/** Runs the command line and gives the exit code. */
export async function runProgram(args: string[], terminal: Terminal = openTerminal()): Promise<number> {
  let exitCode = 0
  const program = buildProgram(terminal, (code) => {
    exitCode = code
  })
  try {
    await program.parseAsync(args, { from: 'user' })
    return exitCode
  } catch (error) {
    // Help and --version end this way too, with exit code 0.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : EXIT_BAD_INPUT
    if (!(error instanceof InputError)) throw error
    terminal.stderr.write(`${error.message}\n`)
    return EXIT_BAD_INPUT
  }
}
