import type { Command } from 'commander'
import { readColumnMap } from '../options/reading-options.ts'
import type { Terminal } from '../output/terminal.ts'

/** Adds a group of commands. Each command imports its code only when it is called: the program starts faster. */
export type AddCommands = (program: Command, terminal: Terminal, finish: (exitCode: number) => void) => void

export const JSON_OPTION = ['--json', 'print one JSON document and nothing else'] as const
export const DATA_OPTION = [
  '--data <folder>',
  'where runs are stored (default: $BENCHMAKER_HOME, else the platform\u2019s data folder)',
] as const

/** A suite or config may be a stranger's: it must not read keys from the home folder. */
export const ALLOW_FILES_OPTION = [
  '--allow-files <path>',
  'a folder or file outside its own folder that the suite or config may read; may be repeated',
  (path: string, earlier: string[] = []) => [...earlier, path],
] as const

/** A suite or config may be a stranger's: its code runs only if the user says so. */
export const ALLOW_CODE_OPTION = [
  '--allow-code',
  'run the JavaScript in the suite or config, in an engine of its own without access to files, network or Node',
] as const

export const MAP_OPTION = [
  '--map <field=column,…>',
  'which columns of a CSV or JSONL file are which fields: prompt=question,expectedOutput=answer; scoringMethod may be a method itself',
  readColumnMap,
] as const

export function example(...lines: string[]): string {
  return `\nExample:\n${lines.map((line) => `  benchmaker ${line}`).join('\n')}`
}

export const RUN_ARGUMENT = 'id of a run or a series, a unique prefix of the id of a run, or latest'

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
