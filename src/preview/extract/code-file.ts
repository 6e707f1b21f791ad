/** What a piece of code is, as far as a browser cares. */
export type CodeKind = 'html' | 'css' | 'js' | 'ts' | 'jsx' | 'tsx' | 'vue' | 'svg' | 'json' | 'diff' | 'other'

/** One piece of code out of an answer. */
export interface CodeFile {
  /** As the answer names it (`src/App.tsx`), else one made up from its kind (`style.css`, `script-2.js`). Unique. */
  name: string
  /** False when the name was made up. */
  isNamed: boolean
  kind: CodeKind
  /** The language in the answer's own word, lower case: `html`, `python`, `` where it gives none. */
  language: string
  code: string
  /** False for the piece that is still arriving, or whose fence was never closed. */
  isComplete: boolean
}

/** How a page comes about from the files. */
type PageKind = 'html' | 'react' | 'vue' | 'script' | 'svg'

/** What runs, and from which file it starts. */
export interface Runnable {
  kind: PageKind
  /** Name of the file that it starts from. */
  entry: string
  /** For a framework's project that has one: name of the HTML file that it is put into. */
  shell?: string
}

/** All code of an answer, and what of it runs. */
export interface ExtractedCode {
  /** In the order of the answer. A file given twice is here once, in its last whole form. */
  files: CodeFile[]
  /** Absent when nothing in the answer can run; `problem` then says why. */
  runs?: Runnable
  /** Why nothing can run, as a sentence for a person. */
  problem?: string
  /** What a person should know: pieces left aside, names guessed. */
  notes: string[]
  /** False while the answer is still arriving. */
  isComplete: boolean
}
