import { useApp } from '../queries.ts'
import { Download } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { messageOf } from '../../contract/index.ts'
import { isTeamServer, useMay } from '../access/session.ts'
import { api } from '../api.ts'
import { namedAddress } from '../api-request.ts'
import { Button } from '../ui/Button.tsx'
import { Menu, MenuCheck, MenuItem, MenuLine, MenuLink } from '../ui/Menu.tsx'
import { toast } from '../ui/toast.ts'
import { ShareDialog } from './ShareDialog.tsx'

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
    <MenuLink key={name} href={namedAddress(addressOf(name, sharing))} download onSelect={onExport}>
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
function FormatMenu({ addressOf, children }: { addressOf: AddressOf; children?: ReactNode }) {
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
      {children}
    </Menu>
  )
}

/** Verdict and leaderboard as a short text that tickets and chats show. */
async function copySummary({ selection, smallestDifference }: Exported): Promise<void> {
  const query = { format: 'pr-comment', smallestDifference }
  const reply = await api.results[':selection'].export.$get({ param: { selection }, query })
  const text = await reply.text()
  await navigator.clipboard.writeText(text.replace(/^<!--.*-->\n/, ''))
}

export function ExportMenu(exported: Exported) {
  const [isSharing, setSharing] = useState(false)
  const mayShare = useMay('runner') && isTeamServer
  return (
    <>
      <FormatMenu addressOf={resultsExport(exported)}>
        <MenuLine />
        <MenuItem
          onSelect={() =>
            void copySummary(exported).then(
              () => toast('Copied verdict and leaderboard.'),
              (error: unknown) => toast(`Not copied: ${messageOf(error)}`),
            )
          }
        >
          Copy summary
        </MenuItem>
        {mayShare && <MenuItem onSelect={() => setSharing(true)}>Share a link…</MenuItem>}
      </FormatMenu>
      <ShareDialog selection={exported.selection} isOpen={isSharing} onClose={() => setSharing(false)} />
    </>
  )
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
