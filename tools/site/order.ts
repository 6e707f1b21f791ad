import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export interface PageGroup {
  title: string
  /** `summary` is what a reader finds there, a sentence. */
  pages: { name: string; summary: string }[]
}

/** The documentation's sidebar: the pages that docs/README.md lists, in its order and under its headings. */
export function readGroups(root: string): PageGroup[] {
  const [, ...sections] = readFileSync(join(root, 'docs/README.md'), 'utf8').split(/^## /m)
  return sections.map((section) => ({
    title: section.slice(0, section.indexOf('\n')),
    pages: [...section.matchAll(/^\d+\. \[.*?\]\((.*?)\.md\): (.*)$/gm)].map(([, name, summary]) => ({
      name: name!,
      summary: summary!,
    })),
  }))
}

/** Folders of docs/ whose pages form a group of their own. */
export const folderTitles: Record<string, string> = { decisions: 'Decisions' }
