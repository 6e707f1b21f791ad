import { Command } from 'commander'
import { describe, expect, it } from 'vitest'
import { collectTexts, OUT_FLAGS, separateOutFiles } from './out-files.ts'

function separate(...args: string[]): string[] {
  const program = new Command().option('--json')
  program
    .command('run')
    .argument('<suite>')
    .option(OUT_FLAGS, '', collectTexts)
    .option('--models <a,b>')
    .option('--cache')
  program.command('import').argument('<file>').option('--out <file>')
  return separateOutFiles(args, program)
}

describe('files after --out', () => {
  it.each<[string[], string[]]>([
    [
      ['run', '--out', 'a.json,b.pr.md', 'c,d.csv', 's'],
      ['run', '--out', 'a.json', '--out', 'b.pr.md', '--out', 'c,d.csv', 's'],
    ],
    [
      ['run', 's', '--out=a.json,b.csv'],
      ['run', 's', '--out', 'a.json', '--out', 'b.csv'],
    ],
    [
      ['run', 's', '--out', 'a', 'b'],
      ['run', 's', '--out', 'a', '--out', 'b'],
    ],
    [
      ['run', 's', '--out=a', 'b', '--cache'],
      ['run', 's', '--out', 'a', '--out', 'b', '--cache'],
    ],
    [
      ['--json', 'run', '--models', 'x', '--out', 'a', 's'],
      ['--json', 'run', '--models', 'x', '--out', 'a', 's'],
    ],
    [
      ['run', '--out', 'a', 's', '--out', 'b'],
      ['run', '--out', 'a', 's', '--out', 'b'],
    ],
    [
      ['run', '--out', 'a', 'b', 's', '--cache'],
      ['run', '--out', 'a', '--out', 'b', 's', '--cache'],
    ],
    [
      ['run', '--out', 'a', '--cache', 's'],
      ['run', '--out', 'a', '--cache', 's'],
    ],
    [
      ['run', '--out', 'a', '--', 's'],
      ['run', '--out', 'a', '--', 's'],
    ],
    [
      ['run', 's', '--out'],
      ['run', 's', '--out'],
    ],
    [
      ['run', '--out', 'a'],
      ['run', '--out', 'a'],
    ],
  ])('%j are %j', (args, separated) => expect(separate(...args)).toEqual(separated))

  it('are left unchanged for commands that accept one', () =>
    expect(separate('import', '--out', 'a', 'f')).toEqual(['import', '--out', 'a', 'f']))
})
