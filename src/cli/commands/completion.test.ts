import { execFileSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { runCli } from '../testing/run-cli.ts'

/** What bash offers for the last of these words. */
async function complete(...words: string[]): Promise<string[]> {
  const { out } = await runCli(['completion', 'bash'])
  const given = words.map((word) => JSON.stringify(word)).join(' ')
  const script = `${out}\nCOMP_WORDS=(benchmaker ${given})\nCOMP_CWORD=${words.length}\n_benchmaker\nprintf '%s\\n' "\${COMPREPLY[@]}"`
  return execFileSync('bash', ['-c', script], { encoding: 'utf8' }).split('\n').filter(Boolean)
}

describe('benchmaker completion', () => {
  it('offers commands, options, choices and latest in bash', async () => {
    expect(await complete('ru')).toEqual(['run'])
    expect(await complete('run', 'suite.yaml', '--same')).toEqual(['--same-within'])
    expect(await complete('run', 'suite.yaml', '--combine', '')).toEqual(['mean', 'median'])
    expect(await complete('show', 'la')).toEqual(['latest'])
  })
  it('has every command for fish, quoted', async () => {
    const { out } = await runCli(['completion', 'fish'])
    expect(out).toContain("complete -c benchmaker -n __fish_use_subcommand -f -a run -d 'run models on a suite")
    expect(out).toContain(
      "complete -c benchmaker -n '__fish_seen_subcommand_from run' -l combine -r -f -a 'mean median'",
    )
    expect(out).not.toMatch(/-d '[^']*[^\\]'[a-z]/)
  })
  it('refuses another shell', async () => {
    expect(await runCli(['completion', 'tcsh'])).toMatchObject({ exitCode: 2, out: '' })
  })
})
