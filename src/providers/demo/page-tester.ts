/** The simulated judge tries a page: it uses the control whose name is most like the task. Deterministic. */

interface Screen {
  task: string
  /** One per line: `3. button "Save"`. */
  controls: string
  /** What it did so far, one step per line. */
  done: string
}

const FIELDS = new Set(['text', 'textarea', 'email', 'search', 'number', 'password', 'tel', 'url', 'date'])

function listWords(text: string): string[] {
  return text.toLowerCase().match(/\p{L}{3,}|\p{N}+/gu) ?? []
}

function writeStep(step: Record<string, unknown>, reason: string): string {
  return JSON.stringify({ ...step, reason: `Simulated judge: ${reason}` })
}

export function tryControls({ task, controls, done }: Screen): string {
  const steps = done.split('\n').filter((line) => line.trim() !== '')
  const last = steps.at(-1)
  if (last !== undefined) {
    const hadEffect = !last.includes('(nothing changed)') && !last.includes('no such control')
    return writeStep(
      { action: 'finish', passed: hadEffect },
      hadEffect ? 'the page reacted.' : 'nothing on the page changed.',
    )
  }
  const wanted = new Set(listWords(task))
  const listed = controls.split('\n').flatMap((line) => {
    const [, number, kind, name] = /^(\d+)\. (\S+) "(.*?)"/.exec(line) ?? []
    if (number === undefined || kind === undefined || name === undefined) return []
    return [{ number: Number(number), kind, likeness: listWords(name).filter((word) => wanted.has(word)).length }]
  })
  const [best] = listed.toSorted((a, b) => b.likeness - a.likeness)
  if (!best) return writeStep({ action: 'finish', passed: false }, 'there is nothing to use on the page.')
  return FIELDS.has(best.kind)
    ? writeStep({ action: 'type', control: best.number, text: 'Ada Lovelace' }, 'the field is the most like the task.')
    : writeStep({ action: 'click', control: best.number }, 'its name is the most like the task.')
}
