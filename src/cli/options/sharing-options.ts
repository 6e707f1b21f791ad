import type { Command } from 'commander'
import type { SharingOptions } from '../../report/sharing/sharing.ts'

/** What files that are passed on leave out: the same in `export`, `compare` and `chart`. */
export interface SharingFlags {
  anonymous?: boolean
  /** False with `--no-texts`. */
  texts?: boolean
}

export function addSharingOptions(command: Command): Command {
  return command
    .option('--anonymous', 'Model A, Model B, … instead of names\nAlso leaves out costs, times, run ids and labels.')
    .option('--no-texts', 'leave out prompts, answers and expected outputs')
}

export function sharingOf({ anonymous, texts }: SharingFlags): SharingOptions {
  return { isAnonymous: anonymous === true, isWithoutTexts: texts === false }
}
