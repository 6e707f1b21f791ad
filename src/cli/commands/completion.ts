import type { Command, Option } from 'commander'
import { RUN_ARGUMENT } from '../program/shared.ts'
import type { Terminal } from '../output/terminal.ts'

export type Shell = 'bash' | 'zsh' | 'fish'

const visibleOptions = ({ options }: Command) => options.filter(({ hidden, long }) => !hidden && long)
const takesRun = ({ registeredArguments }: Command) =>
  registeredArguments.some(({ description }) => description.startsWith(RUN_ARGUMENT))

/** `run) options="--models --judge"; argument="latest" ;;` */
function writeBashCase(command: Command): string {
  const options = visibleOptions(command).map(({ long }) => long)
  return `    ${command.name()}) options="${options.join(' ')}"; argument="${takesRun(command) ? 'latest' : ''}" ;;`
}

/** What may follow an option that has choices; the same name means the same in all commands. */
function writeBashChoices(commands: readonly Command[]): string[] {
  const choices = new Map(
    commands.flatMap((command) =>
      visibleOptions(command).flatMap(({ long, argChoices }): [string, string][] =>
        argChoices ? [[`${command.name()} ${long}`, argChoices.join(' ')]] : [],
      ),
    ),
  )
  return Array.from(choices, ([name, words]) => `    "${name}") choices="${words}" ;;`)
}

function writeBash(commands: readonly Command[]): string {
  return `_benchmaker() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}" command="\${COMP_WORDS[1]}"
  local options="" argument="" choices=""
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "${commands.map((command) => command.name()).join(' ')}" -- "$current"))
    return
  fi
  case "$command $previous" in
${writeBashChoices(commands).join('\n')}
  esac
  if [ -n "$choices" ]; then
    COMPREPLY=($(compgen -W "$choices" -- "$current"))
    return
  fi
  case "$command" in
${commands.map(writeBashCase).join('\n')}
  esac
  case "$current" in
    -*) COMPREPLY=($(compgen -W "$options --help" -- "$current")) ;;
    *) COMPREPLY=($(compgen -W "$argument" -- "$current") $(compgen -f -- "$current")) ;;
  esac
}
complete -o filenames -F _benchmaker benchmaker
`
}

const quoteForShell = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`

function writeFishOption(command: Command, { long = '', description, required, argChoices }: Option): string {
  const needs = required || argChoices ? ' -r' : ''
  const choices = argChoices ? ` -f -a ${quoteForShell(argChoices.join(' '))}` : ''
  const seen = `-n '__fish_seen_subcommand_from ${command.name()}'`
  return `complete -c benchmaker ${seen} -l ${long.slice(2)}${needs}${choices} -d ${quoteForShell(description.split('\n')[0] ?? '')}`
}

function writeFish(commands: readonly Command[]): string {
  const lines = commands.flatMap((command) => [
    `complete -c benchmaker -n __fish_use_subcommand -f -a ${command.name()} -d ${quoteForShell(command.description())}`,
    ...(takesRun(command)
      ? [`complete -c benchmaker -n '__fish_seen_subcommand_from ${command.name()}' -a latest`]
      : []),
    ...visibleOptions(command).map((option) => writeFishOption(command, option)),
  ])
  return `${lines.join('\n')}\n`
}

/** Prints what the shell reads to complete commands and options: drawn from the program itself, so it has them all. */
export function writeCompletion(shell: Shell, program: Command, terminal: Terminal): void {
  const { commands } = program
  const text = {
    bash: () => writeBash(commands),
    zsh: () => `autoload -U +X bashcompinit && bashcompinit\n${writeBash(commands)}`,
    fish: () => writeFish(commands),
  }[shell]()
  terminal.stdout.write(text)
}
