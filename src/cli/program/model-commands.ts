import { Argument, Option, type Command } from 'commander'
import { auditNames } from '../../contract/index.ts'
import type { Shell } from '../commands/completion.ts'
import { list, number } from '../options/run-options.ts'
import { DATA_OPTION, example, JSON_OPTION, type AddCommands, optionsOf } from './shared.ts'

/** `models`, `calibrate`, `audit` and `doctor`. */
export const addModelCommands: AddCommands = (program, terminal, finish) => {
  program
    .command('models')
    .description('list models with prices and context sizes')
    .option('--provider <name>', 'demo, openrouter, openai … (default: all available)')
    .option('--search <text>', 'only models with this text in their name')
    .option('--base-url <url>', 'an OpenAI-compatible endpoint')
    .option(...JSON_OPTION)
    .addHelpText('after', example('models --search claude'))
    .action(async (_options: unknown, command: Command) =>
      finish(await (await import('../commands/models.ts')).listModels(command.optsWithGlobals(), terminal)),
    )

  program
    .command('calibrate')
    .description('measure how far a judge is off')
    .argument('<judge>', 'model')
    .option(
      '--samples <name>',
      'facts, reasoning, code, summaries, safety or style\nWithout it 8 of several kinds. Or a file of your own, a JSON list of { id, prompt, response, expectedOutput, expectedScore, tolerance } with scores from 0 to 1.',
    )
    .option(
      '--preset <name>',
      'grade by a judge preset: factuality, safety …\nBy its criteria, and without --samples on its samples.',
    )
    .addOption(
      new Option('--output <level>', 'full: every sample, not only the worst (default: normal)').choices([
        'normal',
        'full',
      ]),
    )
    .option('--history', 'list the earlier calibrations of the judge instead')
    .option('--base-url <url>', 'an OpenAI-compatible endpoint')
    .option(...DATA_OPTION)
    .option(...JSON_OPTION)
    .addHelpText('after', example('calibrate demo/judge --samples facts'))
    .action(async (judge: string, _options: unknown, command: Command) =>
      finish(
        await (
          await import('../commands/judges/calibrate.ts')
        ).calibrateCommand(judge, command.optsWithGlobals(), terminal),
      ),
    )

  program
    .command('audit')
    .description('find what sways a judge: position, length, traps')
    .argument('<judge>', 'model')
    .option('--run <run>', 'audit it with the stored answers of a run: id, a unique prefix of an id, or latest')
    .option('--only <a,b>', `only these: ${auditNames.join(', ')}`, list)
    .option('--limit <n>', 'at most n answers or pairs for each', number({ min: 1, isWhole: true }))
    .option('--max-cost <usd>', 'stop before exceeding this amount of US dollars', number({ min: 0 }))
    .option('--dry-run', 'show how many requests it would send and what they would cost; send nothing')
    .option('--base-url <url>', 'an OpenAI-compatible endpoint')
    .option(...DATA_OPTION)
    .option(...JSON_OPTION)
    .addHelpText(
      'after',
      example('audit demo/judge-wordy', 'audit openai/gpt-5 --run latest --only position,verbosity --max-cost 2'),
    )
    .action(async (judge: string, _options: unknown, command: Command) =>
      finish(
        await (await import('../commands/judges/audit.ts')).auditCommand(judge, command.optsWithGlobals(), terminal),
      ),
    )

  program
    .command('doctor')
    .description('check the installation, the data folder and the keys')
    .option(...DATA_OPTION)
    .option(...JSON_OPTION)
    .addHelpText('after', example('doctor'))
    .action(async (_options: unknown, command: Command) =>
      finish(await (await import('../commands/doctor.ts')).examineInstallation(command.optsWithGlobals(), terminal)),
    )
}

export const addInstallCommand: AddCommands = (program, terminal, finish) => {
  program
    .command('install')
    .description('install what previews and screenshots of pages need')
    .addArgument(
      new Argument('<what>', 'what to install: previews, or other npm packages that pages import').choices([
        'previews',
        'packages',
      ]),
    )
    .argument(
      '[names...]',
      'packages: NAME or NAME@VERSION, from the registry that npm is configured with. previews: files as npm pack makes them, for machines without a registry: benchmaker-previews, and for screenshots playwright-core and @sparticuz/chromium',
    )
    .option('--list', 'packages: list those that are installed')
    .option('--remove <names>', 'packages: remove these, with what only they need', list)
    .option(...DATA_OPTION)
    .option(...JSON_OPTION)
    .addHelpText(
      'after',
      example('install previews', 'install previews benchmaker-previews-0.1.0.tgz', 'install packages date-fns-tz'),
    )
    .action(async (what: string, names: string[], _options: unknown, command: Command) => {
      const { changePackages, installPreviews } = await import('../commands/install.ts')
      const install = what === 'packages' ? changePackages : installPreviews
      finish(await install(names, optionsOf(command), terminal))
    })
}

export const addCompletionCommand: AddCommands = (program, terminal, finish) => {
  program
    .command('completion')
    .description('print shell completion for bash, zsh or fish')
    .addArgument(new Argument('<shell>', 'your shell').choices(['bash', 'zsh', 'fish']))
    .addHelpText(
      'after',
      `
Examples
  benchmaker completion bash >> ~/.bashrc
  benchmaker completion zsh >> ~/.zshrc
  benchmaker completion fish > ~/.config/fish/completions/benchmaker.fish`,
    )
    .action(async (shell: Shell) => {
      const { writeCompletion } = await import('../commands/completion.ts')
      writeCompletion(shell, program, terminal)
      finish(0)
    })
}
