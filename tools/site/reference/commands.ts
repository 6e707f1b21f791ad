import type { Argument, Command, Option } from 'commander'
import { buildProgram } from '../../../src/cli/program.ts'
import type { GeneratedPage } from '../build-site.ts'
import { code, plain, table } from './markdown-tables.ts'

const nowhere = { write: () => undefined }

/** What follows a command's own help text: its examples. */
function readExamples(command: Command): string[] {
  let printed = ''
  command.configureOutput({ writeOut: (text) => (printed += text), writeErr: () => undefined })
  command.outputHelp()
  const [, examples = ''] = printed.split('\nExamples\n')
  return examples
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
}

function describeDefault({ defaultValue, defaultValueDescription }: Option | Argument): string {
  const isObvious = defaultValue === undefined || defaultValue === false || defaultValue === true
  return isObvious ? '' : ` (default: ${defaultValueDescription ?? JSON.stringify(defaultValue)})`
}

function describeCommand(command: Command): string {
  const usage = `benchmaker ${command.name()} ${command.usage()}`
  const argumentRows = command.registeredArguments.map((argument) => [
    code(argument.name()),
    plain(argument.description + describeDefault(argument)),
  ])
  const optionRows = command.options
    .filter(({ hidden }) => !hidden)
    .map((option) => [code(option.flags), plain(option.description.replace('\n', '. ') + describeDefault(option))])
  const examples = readExamples(command)
  return [
    `## ${command.name()}`,
    `${plain(command.description().replace(/^./, (first) => first.toUpperCase()))}.`,
    `\`\`\`text\n${usage}\n\`\`\``,
    table(['argument', 'meaning'], argumentRows),
    table(['option', 'meaning'], optionRows),
    ...(examples.length === 0 ? [] : [`\`\`\`sh\n${examples.join('\n')}\n\`\`\``]),
  ]
    .filter((part) => part !== '')
    .join('\n\n')
}

const EXIT_CODES = `## Exit codes

| code | meaning |
| --- | --- |
| 0 | done |
| 1 | a gate failed |
| 2 | bad usage or bad input; nothing was sent or written |
| 3 | no gate failed, but some cells ended in an error or could not be scored |
| 130 | cancelled |
`

/** From the objects that read the command line. */
export function writeCommands(): GeneratedPage {
  const program = buildProgram(
    { stdout: nowhere, stderr: nowhere, columns: 100, colour: false, progress: false },
    () => undefined,
  )
  const lead = `\`--json\` prints one JSON document on stdout and nothing else there. A run is named by its id, a unique prefix of it, or \`latest\`. \`benchmaker COMMAND --help\` says it in short.`
  return {
    path: 'reference/commands.md',
    summary: 'every command with its options and examples.',
    markdown: ['# Commands', lead, ...program.commands.map(describeCommand), EXIT_CODES].join('\n\n'),
  }
}
