import { homedir } from 'node:os'
import { join } from 'node:path'

/** Where runs are stored: `--data`, else `$BENCHMAKER_HOME`, else the platform's folder for application data. */
export function findDataFolder(
  chosen: string | undefined,
  env: NodeJS.ProcessEnv,
  platform = process.platform,
): string {
  const named = chosen ?? env['BENCHMAKER_HOME']
  if (named) return named
  const home = env['HOME'] || homedir()
  if (platform === 'darwin') return join(home, 'Library', 'Application Support', 'benchmaker')
  if (platform === 'win32') return join(env['LOCALAPPDATA'] || join(home, 'AppData', 'Local'), 'benchmaker')
  return join(env['XDG_DATA_HOME'] || join(home, '.local', 'share'), 'benchmaker')
}
