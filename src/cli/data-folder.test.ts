import { join } from 'node:path'
import { expect, it } from 'vitest'
import { findDataFolder } from './data-folder.ts'

it.each([
  ['chosen', { BENCHMAKER_HOME: '/set', HOME: '/home/a' }, 'linux', 'chosen'],
  [undefined, { BENCHMAKER_HOME: '/set', HOME: '/home/a' }, 'linux', '/set'],
  [undefined, { HOME: '/home/a' }, 'linux', join('/home/a', '.local', 'share', 'benchmaker')],
  [undefined, { HOME: '/home/a', XDG_DATA_HOME: '/data' }, 'linux', join('/data', 'benchmaker')],
  [undefined, { HOME: '/Users/a' }, 'darwin', join('/Users/a', 'Library', 'Application Support', 'benchmaker')],
  [undefined, { HOME: '/x', LOCALAPPDATA: '/local' }, 'win32', join('/local', 'benchmaker')],
] as const)('--data %s with %j on %s is %s', (chosen, env, platform, folder) =>
  expect(findDataFolder(chosen, env, platform)).toBe(folder),
)
