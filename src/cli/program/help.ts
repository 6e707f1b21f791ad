import type { Argument, Command, Help, Option } from 'commander'
import { capitalise } from '../../report/words/index.ts'
import { wrapText } from '../output/text-table.ts'

/** Commands in the order in which people need them. */
export const commandGroups: Readonly<Record<string, readonly string[]>> = {
  Start: ['init', 'run', 'serve'],
  Look: ['list', 'show', 'compare', 'trend', 'ranking', 'export', 'chart'],
  Continue: ['resume', 'rescore', 'label', 'delete'],
  Bring: ['import', 'check', 'score', 'models', 'schema'],
  Judges: ['calibrate', 'audit', 'rate'],
  'Agents and pages': ['trajectories', 'partial-score', 'arena', 'arena-ranking'],
  'Set up': ['doctor', 'docs', 'completion', 'install', 'mcp', 'worker', 'invite', 'rotate-key'],
}

/** Options of commands that have many, by long flag; `--json` and the rest come under Output or Options. */
export const optionGroups: Readonly<Record<string, readonly string[]>> = {
  'What to run': [
    'models',
    'judge',
    'user-model',
    'combine',
    'repeat',
    'filter',
    'limit',
    'map',
    'recipe',
    'follow',
    'take-over',
    'quick-judge',
  ],
  'How models answer': [
    'benchmark-mode',
    'temperature',
    'top-p',
    'max-tokens',
    'frequency-penalty',
    'presence-penalty',
    'top-k',
    'seed',
    'stop',
    'response-format',
    'reasoning-effort',
    'thinking-budget',
    'extra-body',
    'header',
    'set',
    'base-url',
  ],
  'Cost and time': [
    'dry-run',
    'max-cost',
    'price',
    'cache',
    'max-cache-age',
    'batch',
    'concurrency',
    'requests-per-minute',
    'tokens-per-minute',
    'timeout',
    'max-time',
    'on-workers',
  ],
  'What counts as a difference': [
    'changed-too',
    'same-within',
    'not-worse-than',
    'margin',
    'until',
    'decide',
    'screen',
    'informative',
    'order-seed',
    'smallest-difference',
  ],
  Gates: ['fail-under', 'baseline', 'no-rerun', 'allow-missing'],
  'Reading files': ['metric', 'scale', 'lower-is-better', 'columns', 'split-prompts'],
  Sharing: ['anonymous', 'no-texts', 'without-names'],
  Output: ['output', 'pairs', 'out', 'format', 'json', 'name', 'tag', 'note', 'project', 'data'],
  Trust: ['allow-files', 'allow-code', 'allow-commands'],
}

/** What `-h` lists of a command with many options, and of the program. */
const SHORT_OPTIONS = new Set([
  'models',
  'judge',
  'repeat',
  'filter',
  'limit',
  'benchmark-mode',
  'base-url',
  'dry-run',
  'max-cost',
  'cache',
  'until',
  'fail-under',
  'baseline',
  'output',
  'out',
  'json',
  'cases',
  'changed-too',
  'columns',
  'metric',
])
const SHORT_COMMANDS = new Set(['Start', 'Look', 'Continue'].flatMap((title) => commandGroups[title] ?? []))

/** With fewer options, headings are in the way. */
const FEWEST_GROUPED = 12

/** Terms that are wider push their text onto a line of its own. */
const MAX_TERM = 23

const EXIT_CODES = `Exit codes: 0 done, 1 a gate failed, 2 wrong input, nothing sent,
  3 errors or unscored answers, 130 stopped`

/** Commands that may end otherwise than with 0 or 2. */
const COMMANDS_WITH_CODES = new Set(['run', 'resume', 'rescore', 'score', 'arena', 'compare'])

/** `--limit <n>` as `--limit N`; the choices instead of a placeholder, where they are short. */
function writeFlags({ flags, argChoices }: Option): string {
  const choices = argChoices?.join('|') ?? ''
  return flags.replace(/<([^>]+)>/, (_, name: string) =>
    argChoices && choices.length <= 'mean|median'.length ? choices : name.toUpperCase(),
  )
}

const writeArgument = (argument: Argument) => {
  const name = argument.name().toUpperCase() + (argument.variadic ? '…' : '')
  return argument.required ? name : `[${name}]`
}

/** `text (default: 5)` as `text [5]`, and only its first line: the rest is for the reference. */
function writeText({ description: whole, defaultValue, argChoices, flags }: Option): string {
  const [description = ''] = whole.split('\n')
  const isInText = defaultValue === undefined || typeof defaultValue === 'boolean' || /\(default/.test(description)
  const choices = argChoices?.join('|') ?? ''
  const listed =
    argChoices && choices.length > 'mean|median'.length && flags.includes('<') ? `: ${argChoices.join(', ')}` : ''
  const text = description.replace(/ \(default: ([^()]*)\)/, (_, value: string) => ` [${value}]`)
  return isInText ? text + listed : `${text}${listed} [${String(defaultValue)}]`
}

interface Item {
  term: string
  text: string
}

interface Layout {
  columns: number
  /** Of the terms, the same in all sections of a page. */
  width: number
}

const widthOf = (items: readonly Item[]) =>
  Math.max(0, ...items.map(({ term }) => term.length).filter((length) => length <= MAX_TERM))

function layOut(items: readonly Item[], { columns, width }: Layout): string[] {
  const indent = ' '.repeat(width + 4)
  return items.map(({ term, text }) => {
    const start = term.length <= width ? `  ${term.padEnd(width)}  ` : `  ${term}\n${indent}`
    return start + wrapText(text, columns, indent)
  })
}

interface Sections {
  groups: Readonly<Record<string, readonly string[]>>
  /** By the names in `groups`. */
  items: ReadonlyMap<string, Item>
  /** The title of what is in no group. */
  rest: string
}

function listSections({ groups, items, rest }: Sections, columns: number): string[] {
  const grouped = new Set(Object.values(groups).flat())
  const others = [...items.keys()].filter((name) => !grouped.has(name))
  const layout = { columns, width: widthOf([...items.values()]) }
  return [[rest, others] as const, ...Object.entries(groups)].flatMap(([title, names]) => {
    const own = names.flatMap((name) => items.get(name) ?? [])
    return own.length === 0 ? [] : ['', title, ...layOut(own, layout)]
  })
}

function listOptions(options: readonly Option[], columns: number): string[] {
  const items = new Map(
    options.map((option) => [
      option.long?.replace(/^--/, '') ?? option.flags,
      { term: writeFlags(option), text: writeText(option) },
    ]),
  )
  const groups = options.length < FEWEST_GROUPED ? {} : optionGroups
  return listSections({ groups, items, rest: 'Options' }, columns)
}

function listCommands(commands: readonly Command[], columns: number): string[] {
  const items = new Map(
    commands.map((command) => [
      command.name(),
      {
        term: [command.name(), ...command.registeredArguments.map(writeArgument)].join(' '),
        text: capitalise(command.description()),
      },
    ]),
  )
  return listSections({ groups: commandGroups, items, rest: 'Also' }, columns)
}

/** Whether `-h` lists an option of a command. */
const isForShort = (options: readonly Option[], { long = '' }: Option) =>
  options.length < FEWEST_GROUPED || SHORT_OPTIONS.has(long.slice(2))

/** What a person reads who does not know the command yet: its purpose, then its options in the order of use. */
function formatHelp(command: Command, helper: Help, isShort: boolean): string {
  const columns = Math.min(helper.helpWidth ?? 80, 100)
  const isProgram = command.parent === null
  const options = helper.visibleOptions(command).filter(({ long }) => long !== '--help')
  const shown = options.filter((option) => !isShort || isForShort(options, option))
  const commands = helper
    .visibleCommands(command)
    .filter((own) => own.name() !== 'help' && (!isShort || SHORT_COMMANDS.has(own.name())))
  const words = command.registeredArguments.map(writeArgument)
  const usage = isProgram
    ? 'benchmaker [COMMAND]          without a command: open the web app'
    : ['benchmaker', command.name(), ...words, options.length > 0 ? '[OPTIONS]' : ''].filter(Boolean).join(' ')
  const argumentItems = command.registeredArguments.map((argument) => ({
    term: writeArgument(argument),
    text: argument.description,
  }))
  const lines = [
    wrapText(`${capitalise(command.description()).replace(/\.$/, '')}.`, columns, ''),
    '',
    `Usage: ${usage}`,
    ...(argumentItems.some(({ text }) => text !== '')
      ? layOut(argumentItems, { columns, width: widthOf(argumentItems) })
      : []),
    ...(isProgram ? listCommands(commands, columns) : listOptions(shown, columns)),
    ...(COMMANDS_WITH_CODES.has(command.name()) && !isShort ? ['', EXIT_CODES] : []),
    ...(isProgram && !isShort
      ? ['', 'Help for a command: benchmaker run --help', 'Without colours: --color never, or NO_COLOR=1']
      : []),
    ...(isProgram && isShort ? ['', 'All commands: benchmaker --help'] : []),
    ...(shown.length < options.length ? ['', `All options: benchmaker ${command.name()} --help`] : []),
  ]
  return `${lines.join('\n')}\n`
}

/** `isShort`: of `-h`, which leaves out what few need. */
export const configureHelp = (isShort: boolean) => ({
  formatHelp: (command: Command, helper: Help) => formatHelp(command, helper, isShort),
})
