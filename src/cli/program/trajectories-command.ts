import type { Command } from 'commander'
import type { TrajectoriesOptions } from '../commands/trajectories.ts'
import { DATA_OPTION, example, JSON_OPTION, type AddCommands } from './shared.ts'

export const addTrajectoriesCommand: AddCommands = (program, terminal, finish) => {
  program
    .command('trajectories')
    .description('read, compare and grade recorded runs of agents')
    .argument('<paths...>', 'files or folders of recorded runs')
    .option(...JSON_OPTION)
    .option(
      '--task-from <pattern>',
      'where the task is: {model}/{task}-{trial}.json\nThe path of a file with {task}, {trial} and {model}, a pattern with a group, or a field: $.metadata.task.',
    )
    .option('--model <name>', 'of runs that name none, or its field: $.config.model')
    .option('--key <file>', 'what each task expects, as YAML or JSON\nOr a Google ADK evaluation set.')
    .option(
      '--credit <name>',
      'how to grade: calls, strict, … (default: effects)\nAlso tool-call-f1, superset, adk, tau2 and others.',
    )
    .option('--judge <model>', 'a model that grades whole runs, with --key or without')
    .option(
      '--atif <folder>',
      'write each run there as ATIF, without secrets\nKeys, home folders and mail addresses are left out.',
    )
    .option('--keep-secrets', 'with --atif: leave them in')
    .option(...DATA_OPTION)
    .option('--output <amount>', 'quiet, normal or full (default: normal)')
    .addHelpText(
      'after',
      example(
        'trajectories session.jsonl',
        'trajectories runs/ --task-from "{model}/{task}.json"',
        'trajectories runs/ --key key.yaml --credit effects',
      ),
    )
    .action(async (paths: string[], _options: unknown, command: Command) => {
      const { trajectories } = await import('../commands/trajectories.ts')
      finish(await trajectories(paths, command.optsWithGlobals<TrajectoriesOptions>(), terminal))
    })
}
