import { Button } from '../ui/Button.tsx'
import { TextArea } from '../ui/Field.tsx'
import { Section } from '../ui/Page.tsx'
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
]

/** The prompt and the system prompt. */
export function ArenaPrompt({ task, onChange }: { task: ArenaTask; onChange: (changes: Partial<ArenaTask>) => void }) {
  return (
    <Section title="Prompt" aside="the page to build">
      <TextArea
        label="Prompt"
        isLabelHidden
        rows={7}
        className="[&_textarea]:font-sans [&_textarea]:text-sm"
        placeholder="Describe the page: what it contains, what users can do, and how it should look."
        value={task.prompt}
        onChange={({ target }) => onChange({ prompt: target.value })}
      />
      <div role="group" aria-label="Example prompts" className="flex flex-wrap items-center gap-2">
        <span className="text-muted">Try:</span>
        {examples.map(({ name, prompt }) => (
          <Button key={name} onClick={() => onChange({ prompt })} title={prompt}>
            {name}
          </Button>
        ))}
      </div>
      <details className="rounded-md border border-line bg-surface">
        <summary className="px-3 py-1.5 hover:bg-hover">
          System prompt <span className="text-muted">{task.systemPrompt.trim() === '' ? 'built-in' : 'custom'}</span>
        </summary>
        <div className="border-t border-line p-3">
          <TextArea
            label="Custom system prompt"
            hint="If empty, the built-in one is used: it asks for a single page that works offline, at all widths and by keyboard."
            rows={5}
            value={task.systemPrompt}
            onChange={({ target }) => onChange({ systemPrompt: target.value })}
          />
        </div>
      </details>
    </Section>
  )
}
