import { useEffect, useRef, type ReactNode } from 'react'
import { isAfterShortcut } from '../router.tsx'
import type { ArenaTask } from './make-arena-request.ts'

const examples = [
  {
    name: 'Pricing page',
    prompt:
      'A pricing page with three plans and a monthly/yearly switch. The middle plan is recommended; yearly prices are 20 % lower.',
  },
  {
    name: 'To-do app',
    prompt:
      'A to-do app: add, complete and delete tasks, filter by all, open and done, and show how many are left. Usable by keyboard alone.',
  },
  {
    name: 'Counter',
    prompt:
      'A counter with buttons to add one, subtract one and reset. It cannot go below zero and shows its last five changes.',
  },
  {
    name: 'Chart',
    prompt:
      'A dashboard page with a line chart of monthly sales for two years, a switch between the years, and the best month marked. Use d3.',
  },
  {
    name: '3D scene',
    prompt: 'A solar system in 3D with three.js: planets that orbit at different speeds, labels, and a pause button.',
  },
]

interface ArenaPromptProps {
  task: ArenaTask
  onChange: (changes: Partial<ArenaTask>) => void
  /** Below the text, in the same box. */
  children: ReactNode
}

/** The prompt, ready to type into. */
export function ArenaPrompt({ task, onChange, children }: ArenaPromptProps) {
  const field = useRef<HTMLTextAreaElement>(null)
  useEffect(() => {
    const element = field.current
    // Arrow keys on the tabs above must not end in the field.
    const isOnTabs = document.activeElement?.matches('[role=tab]:focus-visible') ?? false
    if (isAfterShortcut() || isOnTabs) return
    element?.focus({ preventScroll: true })
    element?.setSelectionRange(element.value.length, element.value.length)
  }, [])
  const choose = (prompt: string) => {
    onChange({ prompt })
    field.current?.focus()
  }
  return (
    <div className="flex flex-col gap-3">
      <div className="rounded-lg border border-line-strong/60 bg-surface focus-within:border-accent focus-within:outline-1 focus-within:outline-accent">
        <textarea
          ref={field}
          aria-label="Prompt"
          rows={5}
          spellCheck={false}
          placeholder="Describe the page: what it contains, what users can do, and how it should look."
          className="block max-h-[50dvh] min-h-32 w-full resize-y rounded-t-lg bg-transparent px-4 py-3 text-base leading-6 outline-none placeholder:text-muted"
          value={task.prompt}
          onChange={({ target }) => onChange({ prompt: target.value })}
        />
        <div className="border-t border-line px-3 py-2">{children}</div>
      </div>
      <div role="group" aria-label="Example prompts" className="flex flex-wrap items-center gap-x-1 gap-y-1">
        <span className="mr-1 text-muted">Try</span>
        {examples.map(({ name, prompt }) => (
          <button
            key={name}
            type="button"
            title={prompt}
            onClick={() => choose(prompt)}
            className="h-8 rounded-full border border-line bg-surface px-3 text-[13px] hover:bg-hover"
          >
            {name}
          </button>
        ))}
      </div>
    </div>
  )
}
