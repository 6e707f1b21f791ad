import { Columns3 } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../ui/Button.tsx'
import { Menu, MenuCheck } from '../ui/Menu.tsx'
import { changeHidden, readHidden } from './hidden-columns.ts'

/** The columns that the reader has hidden in a table, remembered in this browser. */
export function useHiddenColumns(
  table: string,
  hiddenAtFirst: readonly string[] = [],
): [string[], (name: string, isShown: boolean) => void] {
  const key = `benchmaker-hidden-${table}`
  const [hidden, setHidden] = useState(() => readStored(key) ?? [...hiddenAtFirst])
  const change = (name: string, isShown: boolean) =>
    setHidden((before) => {
      const next = changeHidden(before, name, isShown)
      try {
        window.localStorage.setItem(key, JSON.stringify(next))
      } catch {
        // Storage is full or disabled: the choice applies until the page is closed.
      }
      return next
    })
  return [hidden, change]
}

function readStored(key: string): string[] | undefined {
  try {
    const text = window.localStorage.getItem(key)
    return text === null ? undefined : readHidden(text)
  } catch {
    return undefined
  }
}

interface ColumnsMenuProps {
  label: string
  columns: readonly string[]
  shown: readonly string[]
  onChange: (name: string, isShown: boolean) => void
  /** Only its icon. */
  isSmall?: boolean
}

export function ColumnsMenu({ label, columns, shown, onChange, isSmall = false }: ColumnsMenuProps) {
  return (
    <Menu
      trigger={
        <Button kind="quiet" className="h-7 px-2 text-[13px]" aria-label={label} title={label}>
          <Columns3 size={14} aria-hidden /> {!isSmall && 'Columns'}
          {!isSmall && shown.length < columns.length && (
            <span className="text-muted tabular-nums">
              {shown.length} of {columns.length}
            </span>
          )}
        </Button>
      }
    >
      {columns.map((name) => {
        const isShown = shown.includes(name)
        return (
          <MenuCheck
            key={name}
            isChecked={isShown}
            disabled={isShown && shown.length === 1}
            onChange={(isChecked) => onChange(name, isChecked)}
          >
            <span className="break-all">{name}</span>
          </MenuCheck>
        )
      })}
    </Menu>
  )
}
