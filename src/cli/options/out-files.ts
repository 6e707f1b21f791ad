import type { Command, Option } from 'commander'
import { formats } from '../../report/index.ts'

/** How the option is declared where it takes several files. */
export const OUT_FLAGS = '--out <file…>'

/** `.html (HTML report), .json (JSON), …` */
export function describeExtensions(): string {
  return formats.map(({ extension, label }) => `${extension} (${label})`).join(', ')
}

export function collectFiles(file: string, files: string[] = []): string[] {
  return [...files, file]
}

const isFlag = (arg: string | undefined) => arg === undefined || (arg.startsWith('-') && arg !== '-')

/**
 * `--out a b` becomes `--out a --out b`. What stands after the files may be the argument that the command needs, as in
 * `run --out a SUITE`: commander's own lists of values would swallow it.
 */
export function separateOutFiles(args: readonly string[], program: Command): string[] {
  const command = args.map((arg) => program.commands.find((known) => known.name() === arg)).find(Boolean)
  if (!command?.options.some(({ flags }) => flags === OUT_FLAGS)) return [...args]
  const options: readonly Option[] = [...program.options, ...command.options]
  const parts: { files?: string[]; args: string[] }[] = []
  let given = 0 // arguments, the command's name among them
  for (let index = 0; index < args.length; index++) {
    const arg = args[index]!
    if (arg === '--') {
      given += args.length - index - 1
      parts.push({ args: args.slice(index) })
      break
    }
    if (arg === '--out' || arg.startsWith('--out=')) {
      const files = arg === '--out' ? [] : [arg.slice('--out='.length)]
      while (!isFlag(args[index + 1])) files.push(args[++index]!)
      parts.push({ files, args: [] })
    } else if (isFlag(arg)) {
      const takesValue = options.some(({ long, short, required }) => required && (arg === long || arg === short))
      parts.push({ args: takesValue && index + 1 < args.length ? [arg, args[++index]!] : [arg] })
    } else {
      given++
      parts.push({ args: [arg] })
    }
  }
  const needed = command.registeredArguments.filter(({ required }) => required).length
  const last = parts.findLast(({ files = [] }) => files.length > 1)
  if (given <= needed && last) last.args.push(last.files!.pop()!)
  return parts.flatMap(({ files, args: own }) =>
    files ? [...(files.length === 0 ? ['--out'] : files.flatMap((file) => ['--out', file])), ...own] : own,
  )
}
