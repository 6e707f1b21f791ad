import { useQuery } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { api } from '../api.ts'
import { apiAddress, readReply } from '../api-request.ts'
import { Button } from '../ui/Button.tsx'
import { Menu, MenuLink } from '../ui/Menu.tsx'

interface Exported {
  selection: string
  /** In points; default: the observed one. */
  smallestDifference?: string | undefined
}

export function ExportLinks({ selection, smallestDifference }: Exported) {
  const app = useQuery({ queryKey: ['app'], queryFn: () => readReply(api.app.$get()), staleTime: 60_000 })
  return app.data?.reportFormats.map(({ name, label }) => (
    <MenuLink
      key={name}
      href={apiAddress(
        api.results[':selection'].export.$path({ param: { selection }, query: { format: name, smallestDifference } }),
      )}
      download
    >
      {label}
    </MenuLink>
  ))
}

export function ExportMenu(exported: Exported) {
  return (
    <Menu
      trigger={
        <Button>
          <Download size={14} aria-hidden /> Export
        </Button>
      }
    >
      <ExportLinks {...exported} />
    </Menu>
  )
}
