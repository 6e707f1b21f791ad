import type { Command, Option } from 'commander'
import { InputError } from '../../contract/index.ts'
import { formats } from '../../report/index.ts'

/** The declaration of the option in commands that accept several files. */
export const OUT_FLAGS = '--out <file…>'

/** `.html (HTML report), .json (JSON), …` */
const extensions = formats.map(({ extension, label }) => `${extension} (${label})`).join(', ')

export const OUT_HELP = `write .html .json .csv .md .xml .tex .pr.md …\nThe extension says the format: ${extensions}. Several files are separated by spaces.`

export const FORMAT_HELP = `to stdout: html json csv markdown junit latex …\nAll: ${formats.map(({ name }) => name).join(', ')}.`

/** The extension of a file says its format, so `--format` would be ignored or contradict it. */
export function refuseFormatOfFiles({ out = [], format }: { out?: readonly string[]; format?: string }): void {
  if (out.length > 0 && format !== undefined)
    throw new InputError(
      '--format: not together with --out\nThe extension of --out says the format: report.html, results.csv',
    )
}

export function collectTexts(text: string, texts: string[] = []): string[] {
  return [...texts, text]
}

/** `a.json,b.csv` are two files, as in other lists; `a,b.json` is one. */
function splitFiles(text: string): string[] {
  const files = text.split(',')
  const isFile = (name: string) =>
    formats.some(({ extension }) => name.length > extension.length && name.toLowerCase().endsWith(extension))
  return files.every(isFile) ? files : [text]
}

const isFlag = (arg: string | undefined) => arg === undefined || (arg.startsWith('-') && arg !== '-')

/**
 * Turns `--out a b` into `--out a --out b`. The files may be followed by the command's own argument, as in
 * `run --out a SUITE`; commander's variadic options would swallow it.
 */
export function separateOutFiles(args: readonly string[], program: Command): string[] {
  const command = args.map((arg) => program.commands.find((candidate) => candidate.name() === arg)).find(Boolean)
  if (!command?.options.some(({ flags }) => flags === OUT_FLAGS)) return [...args]
  const options: readonly Option[] = [...program.options, ...command.options]
  const parts: { files?: string[]; args: string[] }[] = []
  let argumentCount = 0 // including the command's name
  for (let index = 0; index < args.length; index++) {
    const arg = args[index]!
    if (arg === '--') {
      argumentCount += args.length - index - 1
      parts.push({ args: args.slice(index) })
      break
    }
    if (arg === '--out' || arg.startsWith('--out=')) {
      const files = arg === '--out' ? [] : splitFiles(arg.slice('--out='.length))
      while (!isFlag(args[index + 1])) files.push(...splitFiles(args[++index]!))
      parts.push({ files, args: [] })
    } else if (isFlag(arg)) {
      const takesValue = options.some(({ long, short, required }) => required && (arg === long || arg === short))
      parts.push({ args: takesValue && index + 1 < args.length ? [arg, args[++index]!] : [arg] })
    } else {
      argumentCount++
      parts.push({ args: [arg] })
    }
  }
  const requiredCount = command.registeredArguments.filter(({ required }) => required).length
  const last = parts.findLast(({ files = [] }) => files.length > 1)
  if (argumentCount <= requiredCount && last) last.args.push(last.files!.pop()!)
  return parts.flatMap(({ files, args: own }) =>
    files ? [...(files.length === 0 ? ['--out'] : files.flatMap((file) => ['--out', file])), ...own] : own,
  )
}
