import type { Command } from 'commander'
import { number, smallestDifferenceOption } from '../options/run-options.ts'
import { addStoredCommand, optionsOf, RUN_ARGUMENT, type AddCommands } from './shared.ts'

const load = () => import('../commands/stored-commands.ts')

/** `list`, `show`, `compare` and `delete`. */
export const addStoredCommands: AddCommands = (program, terminal, finish) => {
  addStoredCommand(program, {
    name: 'list',
    description: 'list stored runs',
    examples: ['list'],
  })
    .option('--limit <n>', 'how many, newest first (default 50)', number({ min: 1, whole: true }))
    .action(async (_options: unknown, command: Command) =>
      finish(await (await load()).listRuns(optionsOf<{ limit?: number }>(command), terminal)),
    )

  addStoredCommand(program, {
    name: 'show',
    description: 'show the results of a run, or of its series',
    examples: ['show latest --cases'],
  })
    .argument('<run>', RUN_ARGUMENT)
    .option('--cases', 'also show every answer with its score')
    .addOption(smallestDifferenceOption())
    .action(async (name: string, _options: unknown, command: Command) =>
      finish(await (await load()).showRun(name, optionsOf<{ cases?: boolean }>(command), terminal)),
    )

  addStoredCommand(program, {
    name: 'compare',
    description: 'compare the models of one run, or of several',
    examples: ['compare latest', 'compare 20261114 20261115 --smallest-difference 5'],
  })
    .argument('<runs...>', RUN_ARGUMENT)
    .addOption(smallestDifferenceOption())
    .action(async (names: string[], _options: unknown, command: Command) =>
      finish(await (await load()).compareRuns(names, optionsOf(command), terminal)),
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
