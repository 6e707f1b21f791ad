import { useApp } from '../queries.ts'
import { Download } from 'lucide-react'
import { useState } from 'react'
import { api } from '../api.ts'
import { apiAddress } from '../api-request.ts'
import { Button } from '../ui/Button.tsx'
import { Menu, MenuCheck, MenuLine, MenuLink } from '../ui/Menu.tsx'

interface Exported {
  selection: string
  /** In points; default: the observed one. */
  smallestDifference?: string | undefined
}

/** What a file leaves out, as in the address of the export. */
interface Sharing {
  anonymous?: 'yes'
  withoutTexts?: 'yes'
}

type AddressOf = (format: string, sharing: Sharing) => string

const NOTHING: Sharing = {}

interface FormatLinksProps {
  addressOf: AddressOf
  sharing: Sharing
  onExport?: () => void
}

function FormatLinks({ addressOf, sharing, onExport }: FormatLinksProps) {
  const app = useApp()
  return app.data?.reportFormats.map(({ name, label }) => (
    <MenuLink key={name} href={apiAddress(addressOf(name, sharing))} download onSelect={onExport}>
      {label}
    </MenuLink>
  ))
}

const resultsExport =
  ({ selection, smallestDifference }: Exported): AddressOf =>
  (format, sharing) =>
    api.results[':selection'].export.$path({ param: { selection }, query: { format, smallestDifference, ...sharing } })

export function ExportLinks({ onExport, ...exported }: Exported & { onExport: () => void }) {
  return <FormatLinks addressOf={resultsExport(exported)} sharing={NOTHING} onExport={onExport} />
}

/** Every format, with what to leave out of a file that is passed on. */
function FormatMenu({ addressOf }: { addressOf: AddressOf }) {
  const [isAnonymous, setAnonymous] = useState(false)
  const [isWithoutTexts, setWithoutTexts] = useState(false)
  const sharing: Sharing = {
    ...(isAnonymous && { anonymous: 'yes' as const }),
    ...(isWithoutTexts && { withoutTexts: 'yes' as const }),
  }
  return (
    <Menu
      trigger={
        <Button>
          <Download size={14} aria-hidden /> Export
        </Button>
      }
    >
      <MenuCheck isChecked={isAnonymous} onChange={setAnonymous}>
        Without model names
      </MenuCheck>
      <MenuCheck isChecked={isWithoutTexts} onChange={setWithoutTexts}>
        Without prompts and answers
      </MenuCheck>
      <MenuLine />
      <FormatLinks addressOf={addressOf} sharing={sharing} />
    </Menu>
  )
}

export function ExportMenu(exported: Exported) {
  return <FormatMenu addressOf={resultsExport(exported)} />
}

/** The query of the Compare page. */
interface ComparedExport {
  a: string
  b: string
  modelA: string
  modelB: string
  changed: '' | 'include'
  smallestDifference: string | undefined
}

export function CompareExportMenu(query: ComparedExport) {
  return (
    <FormatMenu
      addressOf={(format, sharing) => api.compare.export.$path({ query: { ...query, format, ...sharing } })}
    />
  )
}
