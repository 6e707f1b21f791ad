import { execFileSync } from 'node:child_process'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { findDataFolder } from '../src/cli/data-folder.ts'
import { vendors } from '../src/contract/index.ts'

const script = 'process.stdout.write(JSON.stringify(process.env))'

it('tests and the programs they start use a temporary data folder and no keys of the user', () => {
  const inherited: NodeJS.ProcessEnv = JSON.parse(execFileSync(process.execPath, ['-e', script], { encoding: 'utf8' }))
  for (const env of [process.env, inherited]) {
    expect(findDataFolder(undefined, env)).toContain(join(tmpdir(), 'benchmaker-home-'))
    expect(env['BENCHMAKER_DATABASE_URL']).toBe('')
    for (const name of vendors.flatMap(({ variables }) => variables)) expect([name, env[name]]).toEqual([name, ''])
  }
})
