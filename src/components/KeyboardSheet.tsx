import { menu } from './screens.tsx'
import { Dialog } from './ui/Dialog.tsx'

const menuKeys = menu.map(({ key }) => key)
const lastKey = menuKeys.pop()

const shortcuts: [keys: string, action: string][] = [
  [`g then ${menuKeys.join(', ')} or ${lastKey}`, menu.map(({ title }) => title).join(', ')],
  ['/', 'Search on this screen'],
  ['j and k', 'Next and previous row or case'],
  ['Enter', 'Open the row'],
  ['h and l', 'Previous and next model in the grid, or page of the Code Arena'],
  ['Ctrl+Enter', 'Run the benchmark or the Code Arena'],
  ['1 to 8', 'Code Arena: vote on the pages'],
  ['u', 'Code Arena: undo the vote'],
  ['f and c', 'Code Arena: full screen, and the code of the pages'],
  ['Ctrl+S', 'Save the suite'],
  ['Ctrl+Z and Ctrl+Shift+Z', 'Undo and redo in the suite editor'],
  ['Alt+↑ and Alt+↓', 'Move a case up or down'],
  ['0–9 and Enter, p and f, s, n, u', 'Rate, pass and fail, skip, note, undo while rating answers'],
  ['Esc', 'Close the dialog or menu'],
  ['?', 'This list'],
]

export function KeyboardSheet({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  return (
    <Dialog title="Keyboard shortcuts" isOpen={isOpen} onClose={onClose}>
      <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-2">
        {shortcuts.map(([keys, action]) => (
          <div key={keys} className="contents">
            <dt className="font-mono text-xs leading-5">{keys}</dt>
            <dd>{action}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  )
}
