import type { Command } from 'commander'
import type { PartialScoreOptions } from '../commands/partial-score.ts'
import { smallestDifferenceOption } from '../options/run-options.ts'
import type { AddCommands } from './shared.ts'

const partialScoreDescription = 'give partial credit for the tool calls of an agent'

/** Flags and help of every option. */
const partialScoreOptions: readonly { flags: string; description: string }[] = [
  { flags: '-o, --output <file>', description: 'the scored copy (default: <results>_partial.json)' },
  { flags: '--no-stats', description: 'only write the scored copy' },
  {
    flags: '--json',
    description: 'one JSON document with every record and its reasons\nWrites no copy without -o.',
  },
  {
    flags: '--credit <credit>',
    description:
      'calls or effects (default: calls)\ncalls: were the expected calls made; effects: what did the agent change.',
  },
  {
    flags: '--explain <task>',
    description: 'expected and actual calls of a task, side by side\nWrites no copy without -o.',
  },
  { flags: '--salvage', description: 'use the complete records of a truncated file' },
  {
    flags: '--effects-tools <names>',
    description: 'tools that change something: a,b,c or a file\nThe file has one name per line.',
  },
]

const partialScoreHelp = `
Examples
  benchmaker partial-score results.json
  benchmaker partial-score results.json --credit effects --explain 12
  benchmaker partial-score agent-a.json agent-b.json
  benchmaker partial-score BFCL_result.json possible_answer.json questions.json

Reads tau-bench, tau2-bench (file or folder), BFCL results with possible answers (and questions), OpenAI and
Anthropic messages with expectedCalls. The input is never changed. Exit codes: 0 done, 2 bad usage or bad input (nothing written).
`

export const addPartialScoreCommand: AddCommands = (program, terminal, finish) => {
  const partial = program
    .command('partial-score')
    .description(partialScoreDescription)
    .argument('<files...>', 'results files')
    .addHelpText('after', partialScoreHelp)
    .action(async (files: string[], _options: unknown, command: Command) => {
      const { partialScore } = await import('../commands/partial-score.ts')
      finish(await partialScore(files, command.optsWithGlobals<PartialScoreOptions>(), terminal))
    })
  for (const { flags, description } of partialScoreOptions) partial.option(flags, description)
  partial.addOption(smallestDifferenceOption('tasks'))
}
