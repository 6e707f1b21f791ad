import { useQuery } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { api } from '../api.ts'
import { apiAddress, readReply } from '../api-request.ts'
import { Button } from '../ui/Button.tsx'
import { Menu, MenuLink } from '../ui/Menu.tsx'

export function ExportLinks({ selection }: { selection: string }) {
  const app = useQuery({ queryKey: ['app'], queryFn: () => readReply(api.app.$get()), staleTime: 60_000 })
  return app.data?.reportFormats.map(({ name, label }) => (
    <MenuLink
      key={name}
      href={apiAddress(api.results[':selection'].export.$path({ param: { selection }, query: { format: name } }))}
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
