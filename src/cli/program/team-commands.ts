import type { Command } from 'commander'
import type { InviteOptions } from '../commands/serving/team.ts'
import { DATA_OPTION, example, JSON_OPTION, type AddCommands } from './shared.ts'

export const addTeamCommands: AddCommands = (program, terminal, finish) => {
  program
    .command('invite')
    .description('make a link with which a person gets an account on a team server')
    .argument('<login>', 'the e-mail address or name to sign in with')
    .option('--role <role>', 'viewer, runner or admin', 'runner')
    .option('--url <url>', 'the address of the server (default: http://127.0.0.1:4747)')
    .option(...DATA_OPTION)
    .option(...JSON_OPTION)
    .addHelpText('after', example('invite ada@example.org --role admin --url https://bench.example.org'))
    .action(async (login: string, _options: unknown, command: Command) => {
      const { inviteCommand } = await import('../commands/serving/team.ts')
      finish(await inviteCommand(login, command.optsWithGlobals<InviteOptions>(), terminal))
    })
  program
    .command('rotate-key')
    .description('encrypt the stored keys with a new BENCHMAKER_SECRET_KEY')
    .option(...DATA_OPTION)
    .option(...JSON_OPTION)
    .addHelpText(
      'after',
      `${example('rotate-key')}\n\nSet BENCHMAKER_SECRET_KEY to the new key and BENCHMAKER_SECRET_KEY_OLD to the one before.`,
    )
    .action(async (_options: unknown, command: Command) => {
      const { rotateKeyCommand } = await import('../commands/serving/team.ts')
      finish(await rotateKeyCommand(command.optsWithGlobals<{ data?: string; json?: boolean }>(), terminal))
    })
}
