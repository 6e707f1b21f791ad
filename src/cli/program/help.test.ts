import { describe, expect, it } from 'vitest'
import { buildProgram } from '../program.ts'
import { runCli } from '../testing/run-cli.ts'
import { commandGroups, optionGroups } from './help.ts'

const nowhere = { write: () => undefined }
const program = buildProgram(
  { stdout: nowhere, stderr: nowhere, columns: 80, colour: false, progress: false },
  () => undefined,
)

describe('help', () => {
  it('lists every command in a group', () => {
    expect(program.commands.map((command) => command.name()).toSorted()).toEqual(
      Object.values(commandGroups).flat().toSorted(),
    )
  })
  it('has every option of a run in a group', () => {
    const grouped = new Set(Object.values(optionGroups).flat())
    const names = ['run', 'resume', 'arena'].flatMap((name) =>
      program.commands.find((command) => command.name() === name)!.options.map(({ long }) => long!.slice(2)),
    )
    expect(names.filter((name) => !grouped.has(name))).toEqual([])
  })
  it.each(['', ...program.commands.map((command) => command.name())])('fits 80 columns: %s', async (name) => {
    const { exitCode, out } = await runCli([...(name === '' ? [] : [name]), '--help'], { columns: 80 })
    expect(exitCode).toBe(0)
    const [help = ''] = out.split('\nExamples\n')
    expect(help.split('\n').filter((line) => line.length > 80)).toEqual([])
  })
  it('has an option in one line, but for choices', async () => {
    for (const { name } of program.commands.map((command) => ({ name: command.name() }))) {
      const { out } = await runCli([name, '--help'], { columns: 80 })
      const [, options = ''] = out.split(/\n(?:Options|What to run)\n/)
      const wrapped = options.split('\n').filter((line) => /^ {20,}\S/.test(line) && !line.includes(', '))
      expect({ name, wrapped }).toEqual({ name, wrapped: [] })
    }
  })
  it('leaves out with -h what few need', async () => {
    const [short, whole] = await Promise.all([
      runCli(['run', '-h'], { columns: 80 }),
      runCli(['run', '--help'], { columns: 80 }),
    ])
    const count = (text: string) => text.split('\n').length
    expect(count(short.out)).toBeLessThan(count(whole.out) / 2)
    expect(short.out).toMatch(/--models A,B/)
    expect(short.out).not.toContain('--top-k')
    expect(short.out).toContain('\nAll options: benchmaker run --help\n')
    expect(whole.out).not.toContain('All options')
    const programs = await runCli(['-h'], { columns: 80 })
    expect(programs.out).toContain('  run SUITE ')
    expect(programs.out).not.toContain('rotate-key')
    expect(programs.out).toContain('\nAll commands: benchmaker --help\n')
  })
  it('says everything with -h where there is little', async () => {
    const { out } = await runCli(['list', '-h'], { columns: 80 })
    expect(out).toEqual((await runCli(['list', '--help'], { columns: 80 })).out)
  })
  it('shows defaults in brackets and ends with the exit codes of a run', async () => {
    const { out } = await runCli(['run', '--help'], { columns: 80 })
    expect(out).toMatch(/--concurrency N +concurrent requests per provider \[5\]\n/)
    expect(out).toContain('Exit codes: 0 done, 1 a gate failed, 2 wrong input, nothing sent,')
  })
})
