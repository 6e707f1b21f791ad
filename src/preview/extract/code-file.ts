/** The kind of a piece of code, as far as it matters to a browser. */
export type CodeKind =
  | 'html'
  | 'css'
  | 'js'
  | 'ts'
  | 'jsx'
  | 'tsx'
  | 'vue'
  | 'svelte'
  | 'svg'
  | 'json'
  | 'diff'
  | 'other'

/** A piece of code from an answer. */
export interface CodeFile {
  /** The name in the answer (`src/App.tsx`), or one made up from its kind (`style.css`, `script-2.js`). Unique. */
  name: string
  /** False if the name was made up. */
  isNamed: boolean
  kind: CodeKind
  /** The language as the answer gives it, in lower case: `html`, `python`; empty if it gives none. */
  language: string
  code: string
  /** False if the piece is still arriving or its fence was never closed. */
  isComplete: boolean
}

/** How the files become a page. */
type PageKind = 'html' | 'react' | 'vue' | 'svelte' | 'script' | 'svg'

/** What runs, and the file it starts from. */
export interface Runnable {
  kind: PageKind
  /** The name of the file it starts from. */
  entry: string
  /** The name of the HTML file into which a framework's project is put, if there is one. */
  shell?: string
}

/** All code of an answer, and which part of it runs. */
export interface ExtractedCode {
  /** In the order of the answer. A file that appears twice is here once, in its last complete version. */
  files: CodeFile[]
  /** Absent if nothing in the answer can run; `problem` then says why. */
  runs?: Runnable
  /** Why nothing can run, as a sentence for the user. */
  problem?: string
  /** True if it is a page elsewhere, and only we cannot run it. */
  isUnsupported?: boolean
  /** What the user should know, such as pieces that were left out. */
  notes: string[]
  /** The titles of several pages of which the answer lets its reader take one; absent if there is only one. */
  alternatives?: string[]
  /** The place in them of the one that these files are of. */
  alternative?: number
  /** False while the answer is still arriving. */
  isComplete: boolean
}
