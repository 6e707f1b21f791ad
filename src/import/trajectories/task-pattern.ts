import { InputError } from '../../contract/index.ts'
import type { Trajectory } from '../../scoring/tool-calls/index.ts'

/** Finds names in a path. */
export interface TaskPattern {
  expression: RegExp
}

const placeholder = /\\\{(task|trial|model)\\\}|\\\*\\\*|\\\*/g

/**
 * Reads a pattern for the paths of files: `{model}/{task}-{trial}.json`, where `*` is anything in a name, or a regular
 * expression with a group, or with groups named task, trial and model.
 */
export function parseTaskPattern(pattern: string): TaskPattern {
  if (/\{(task|trial|model)\}/.test(pattern)) {
    const escaped = pattern.replaceAll(/[.+?^${}()|[\]\\*]/g, String.raw`\$&`)
    const used = new Set<string>()
    const source = escaped.replaceAll(placeholder, (found, name: string | undefined) => {
      if (name === undefined) return found === String.raw`\*\*` ? '.*' : '[^/]*'
      if (used.has(name)) throw new InputError(`--task-from ${pattern}: {${name}} is there twice`)
      used.add(name)
      return name === 'trial' ? String.raw`(?<trial>\d+)` : `(?<${name}>[^/]+)`
    })
    if (!used.has('task')) throw new InputError(`--task-from ${pattern}: says nowhere which part is the {task}`)
    return { expression: new RegExp(`(?:^|/)${source}$`) }
  }
  try {
    return { expression: new RegExp(pattern) }
  } catch (error) {
    throw new InputError(
      `--task-from ${pattern}: is neither a path with {task} nor a regular expression; try {model}/{task}.json`,
      { cause: error },
    )
  }
}

/** Names the trajectory after its path; it stays as it is if the pattern does not fit. */
export function applyTaskPattern(trajectory: Trajectory, { expression }: TaskPattern): Trajectory {
  const found = expression.exec(trajectory.file.replaceAll('\\', '/'))
  if (!found) return trajectory
  const { task, trial, model } = found.groups ?? {}
  const named = task ?? found[1] ?? found[0]
  return {
    ...trajectory,
    task: named,
    ...(trial !== undefined && { trial: Number(trial) }),
    ...(model !== undefined && { model }),
  }
}
