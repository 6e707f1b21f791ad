import { Share2 } from 'lucide-react'
import { api } from '../../api.ts'
import { apiAddress } from '../../api-request.ts'
import { Button } from '../../ui/Button.tsx'
import { Menu, MenuLink } from '../../ui/Menu.tsx'

interface ShareMenuProps {
  runId: string
  /** Before a vote, a file with names would give them away. */
  areNamesShown?: boolean
}

/** Saves the run as one HTML file with the pictures, code, grades and votes, to pass on. */
export function ShareMenu({ runId, areNamesShown = true }: ShareMenuProps) {
  const addressFor = (names: 'shown' | 'hidden') =>
    apiAddress(api.arenaPages[':runId'].share.$path({ param: { runId }, query: { names } }))
  return (
    <Menu
      trigger={
        <Button kind="quiet" title="One HTML file with pictures, code, grades and votes; it opens offline">
          <Share2 size={14} aria-hidden />
          Share
        </Button>
      }
    >
      {areNamesShown && (
        <MenuLink href={addressFor('shown')} download>
          Save as HTML
        </MenuLink>
      )}
      <MenuLink href={addressFor('hidden')} download>
        Save as HTML without names
      </MenuLink>
    </Menu>
  )
}
