import type { Command } from 'commander'
import { runLimits } from '../../contract/index.ts'
import type { WorkerOptions } from '../commands/serving/worker.ts'
import { number } from '../options/run-options.ts'
import { DATA_OPTION, example, type AddCommands } from './shared.ts'

export const addWorkerCommand: AddCommands = (program, terminal, finish) => {
  program
    .command('worker')
    .description('work on runs of a team server: take cells from the queue in its PostgreSQL database')
    .option(
      '--concurrency <n>',
      'most requests to one provider at once, beside the limit of the run',
      number({ min: 1, max: runLimits.concurrency, isWhole: true }),
      20,
    )
    .option('--name <name>', 'what to call this worker (default: the name of the machine)')
    .option('--grace <s>', 'seconds to wait for answers when it is stopped', number({ min: 0, max: 3600 }), 10)
    .option(
      '--health-port <port>',
      'answer /healthz and /readyz on this port of 127.0.0.1',
      number({ min: 0, max: 65_535, isWhole: true }),
    )
    .option(...DATA_OPTION)
    .addHelpText('after', example('worker', 'worker --concurrency 50 --name gpu-1'))
    .action(async (_options: unknown, command: Command) =>
      finish(
        await (await import('../commands/serving/worker.ts')).work(command.optsWithGlobals<WorkerOptions>(), terminal),
      ),
    )
}
