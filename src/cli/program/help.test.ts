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
  it('shows defaults in brackets and ends with the exit codes of a run', async () => {
    const { out } = await runCli(['run', '--help'], { columns: 80 })
    expect(out).toMatch(/--concurrency N +concurrent requests per provider \[5\]\n/)
    expect(out).toContain('Exit codes: 0 done, 1 a gate failed, 2 wrong input, nothing sent,')
  })
})
