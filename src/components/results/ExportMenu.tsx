import { Download } from 'lucide-react'
import { api } from '../api.ts'
import { apiAddress } from '../api-request.ts'
import { Button } from '../ui/Button.tsx'
import { Menu, MenuLink } from '../ui/Menu.tsx'

const formats = [
  ['html', 'HTML report'],
  ['json', 'JSON'],
  ['csv', 'CSV'],
  ['md', 'Markdown'],
  ['xml', 'JUnit XML'],
] as const

export function ExportLinks({ selection }: { selection: string }) {
  return formats.map(([format, label]) => (
    <MenuLink
      key={format}
      href={apiAddress(api.results[':selection'].export.$path({ param: { selection }, query: { format } }))}
      download
    >
      {label}
    </MenuLink>
  ))
}

export function ExportMenu({ selection }: { selection: string }) {
  return (
    <Menu
      trigger={
        <Button>
          <Download size={14} aria-hidden /> Export
        </Button>
      }
    >
      <ExportLinks selection={selection} />
    </Menu>
  )
}
