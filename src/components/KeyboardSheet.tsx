import { menu } from './screens.tsx'
import { Dialog } from './ui/Dialog.tsx'

const menuKeys = menu.map(({ key }) => key)
const lastKey = menuKeys.pop()

const keys: [keys: string, does: string][] = [
  [`g then ${menuKeys.join(', ')} or ${lastKey}`, menu.map(({ title }) => title).join(', ')],
  ['/', 'Search on this screen'],
  ['j and k', 'Next and previous row or case'],
  ['Enter', 'Open the row'],
  ['h and l', 'Previous and next model in the grid'],
  ['Ctrl+S', 'Save the suite'],
  ['Alt+↑ and Alt+↓', 'Move a case of a suite'],
  ['Esc', 'Close what is open'],
  ['?', 'This list'],
]

export function KeyboardSheet({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  return (
    <Dialog title="Keys" isOpen={isOpen} onClose={onClose}>
      <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-2">
        {keys.map(([pressed, does]) => (
          <div key={pressed} className="contents">
            <dt className="font-mono text-xs leading-5">{pressed}</dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  )
}
