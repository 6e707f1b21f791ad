import type { Command } from 'commander'
import { readColumnMap } from '../options/reading-options.ts'
import type { Terminal } from '../output/terminal.ts'

/** Adds a group of commands. Each command imports its code only when it is called: the program starts faster. */
export type AddCommands = (program: Command, terminal: Terminal, finish: (exitCode: number) => void) => void

export const JSON_OPTION = ['--json', 'print one JSON document and nothing else'] as const
export const DATA_OPTION = [
  '--data <folder>',
  "where runs are stored (default: $BENCHMAKER_HOME)\nWithout that variable: the platform's data folder.",
] as const

/** A suite or config may be a stranger's: it must not read keys from the home folder. */
export const ALLOW_FILES_OPTION = [
  '--allow-files <path>',
  'a folder or file that the suite may read\nOutside the folder that the suite is in.',
  (path: string, earlier: string[] = []) => [...earlier, path],
] as const

/** A suite or config may be a stranger's: its code runs only if the user says so. */
export const ALLOW_CODE_OPTION = [
  '--allow-code',
  "run the suite's JavaScript, isolated\nIt reaches no files, no network and nothing of Node.",
] as const

/** A suite may be a stranger's: the programs that it names start only if the user says so. */
export const ALLOW_COMMANDS_OPTION = ['--allow-commands', 'start the programs that the suite names as tools'] as const

export const MAP_OPTION = [
  '--map <field=column,…>',
  'columns of a table, such as prompt=question\nSeveral: prompt=question,expectedOutput=answer, or "prompt={{context}} {{question}}"; scoringMethod may be a method itself.',
  readColumnMap,
] as const

export const RECIPE_OPTION = [
  '--recipe <name>',
  'how a dataset is read (default: by its fields)\nSuch as multiple-choice, maths or facts; none: not as a dataset.',
] as const

export function example(...lines: string[]): string {
  return `\nExamples\n${lines.map((line) => `  benchmaker ${line}`.trimEnd()).join('\n')}`
}

export const RUN_ARGUMENT = 'name, id or unique beginning of one, or latest'

/** A command on stored runs, with the options that all of them have. */
export function addStoredCommand(
  program: Command,
  { name, description, examples }: { name: string; description: string; examples: string[] },
): Command {
  return program
    .command(name)
    .description(description)
    .option(...DATA_OPTION)
    .option(...JSON_OPTION)
    .addHelpText('after', example(...examples))
}

export function optionsOf<T>(command: Command): T & { data?: string; json?: boolean } {
  return command.optsWithGlobals()
}
