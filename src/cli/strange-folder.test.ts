import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { builtProgram } from './testing/built-program.ts'
import { runCli } from './testing/run-cli.ts'

const folder = mkdtempSync(join(tmpdir(), 'benchmaker-strange-'))
afterAll(() => rmSync(folder, { recursive: true }))

it('the .env of a strange repository gives keys but chooses no program, database or folder', () => {
  const repository = join(folder, 'repository')
  const home = join(folder, 'home')
  mkdirSync(repository)
  const touched = join(folder, 'touched')
  writeFileSync(join(repository, 'x'), `#!/bin/sh\ntouch ${touched}\n`, { mode: 0o755 })
  writeFileSync(
    join(repository, '.env'),
    [
      'BENCHMAKER_CHROMIUM=./x',
      'BENCHMAKER_DATABASE_URL=postgres://127.0.0.1:1/stolen',
      'BENCHMAKER_HOME=./stolen',
      'NODE_OPTIONS=--require=./x',
      'OPENAI_API_KEY=sk-from-the-file',
      'ANTHROPIC_API_KEY=sk-from-the-file',
    ].join('\r\n'),
  )
  const { HOME: _home, ...environment } = process.env
  const run = (...args: string[]) =>
    spawnSync(process.execPath, [builtProgram, ...args], {
      cwd: repository,
      encoding: 'utf8',
      env: { ...environment, BENCHMAKER_HOME: home, ANTHROPIC_API_KEY: 'sk-mine' },
    })
  const arena = run('arena', 'a page', '--models', 'demo/good')
  expect(arena.stderr).toMatch(
    /^warning: \.env: BENCHMAKER_CHROMIUM, BENCHMAKER_DATABASE_URL, BENCHMAKER_HOME, NODE_OPTIONS are ignored/,
  )
  expect([
    existsSync(touched),
    existsSync(join(repository, 'stolen')),
    existsSync(join(home, 'benchmaker.db')),
  ]).toEqual([false, false, true])
  const { findings } = JSON.parse(run('doctor', '--json').stdout) as { findings: { name: string; says: string }[] }
  expect(findings.find(({ name }) => name === 'Keys')?.says).toBe('set: OPENAI_API_KEY, ANTHROPIC_API_KEY')
})

it('a config reads files outside its folder only with --allow-files, in every command that takes a suite', async () => {
  const configs = join(folder, 'configs')
  mkdirSync(configs)
  writeFileSync(join(folder, 'key.txt'), 'sk-secret')
  const config = join(configs, 'promptfooconfig.yaml')
  writeFileSync(
    config,
    "prompts: ['{{a}}']\ntests: [{ vars: { a: 'file://../key.txt' }, assert: [{ type: equals, value: x }] }]\n",
  )
  const data = ['--data', join(folder, 'data')]
  for (const command of [
    ['import', config],
    ['run', config, '--models', 'demo/good', '--dry-run', ...data],
    ['score', config, config],
  ]) {
    const { exitCode, out, err } = await runCli(command)
    expect([exitCode, out]).toEqual([2, ''])
    expect(err).toContain(`--allow-files ${JSON.stringify(join(folder, 'key.txt'))}`)
    expect(err).not.toContain('sk-secret')
  }
  for (const command of ['import', 'run']) {
    const args = command === 'run' ? ['--models', 'demo/good', '--dry-run', ...data] : []
    const { exitCode, out } = await runCli([command, config, '--allow-files', folder, ...args])
    expect([exitCode, out.includes('sk-secret')]).toEqual([0, true])
  }
})
