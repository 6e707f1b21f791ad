import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { SharedLinkView } from '../../server/sharing/routes.ts'
import { OnceShown } from '../access/OnceShown.tsx'
import { api } from '../api.ts'
import { readReply } from '../api-request.ts'
import { Button } from '../ui/Button.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import { Checkbox } from '../ui/form/Field.tsx'
import { Loaded } from '../ui/Loaded.tsx'
import { formatLocalTime } from '../ui/local-time.ts'
import { FailureNotice } from '../ui/Notice.tsx'
import { toast } from '../ui/toast.ts'
import { useSingleMutation } from '../use-single-mutation.ts'

const linksKey = (selection: string) => ['shared-links', selection]

function describeLink({ isAnonymous, isWithoutTexts }: SharedLinkView): string {
  const without = [...(isAnonymous ? ['model names'] : []), ...(isWithoutTexts ? ['prompts and answers'] : [])]
  return without.length === 0 ? 'everything' : `without ${without.join(', ')}`
}

function LinkList({ links, selection }: { links: SharedLinkView[]; selection: string }) {
  const queries = useQueryClient()
  const revoke = useMutation({
    mutationFn: (id: string) => readReply(api.sharing[':selection'].links[':id'].$delete({ param: { selection, id } })),
    onSuccess: (view) => {
      queries.setQueryData(linksKey(selection), view)
      toast('The link no longer works.')
    },
    onError: (error) => toast(`Not revoked: ${error.message}`),
  })
  return (
    <ul className="divide-y divide-line rounded-md border border-line">
      {links.map((link) => (
        <li key={link.id} className="flex flex-wrap items-center gap-x-3 gap-y-1 px-3 py-2">
          <span className="min-w-0 flex-1 basis-40 break-words">
            {link.createdBy.name}, {formatLocalTime(link.createdAt)}
          </span>
          <span className="text-muted">{describeLink(link)}</span>
          <Button
            kind="quiet"
            aria-label={`Revoke the link of ${formatLocalTime(link.createdAt)}`}
            disabled={revoke.isPending}
            onClick={() => revoke.mutate(link.id)}
          >
            Revoke
          </Button>
        </li>
      ))}
    </ul>
  )
}

/** Links to a result that open without an account, and what there is to revoke; only on a team server. */
export function ShareDialog({
  selection,
  isOpen,
  onClose,
}: {
  selection: string
  isOpen: boolean
  onClose: () => void
}) {
  const queries = useQueryClient()
  const [isAnonymous, setAnonymous] = useState(false)
  const [isWithoutTexts, setWithoutTexts] = useState(false)
  const links = useQuery({
    queryKey: linksKey(selection),
    queryFn: () => readReply(api.sharing[':selection'].links.$get({ param: { selection } })),
    enabled: isOpen,
  })
  const create = useSingleMutation({
    mutationFn: () =>
      readReply(api.sharing[':selection'].links.$post({ param: { selection }, json: { isAnonymous, isWithoutTexts } })),
    onSuccess: (reply) => queries.setQueryData(linksKey(selection), { links: reply.links }),
  })
  return (
    <Dialog
      title="Share a link"
      description="Whoever has it can read this result, without an account, until you revoke it."
      isOpen={isOpen}
      onClose={() => {
        create.reset()
        onClose()
      }}
      actions={
        <Button kind="primary" disabled={create.isPending} onClick={() => create.mutate()}>
          Create link
        </Button>
      }
    >
      <div className="flex flex-col gap-3">
        <Checkbox
          label="Without model names"
          checked={isAnonymous}
          onChange={(event) => setAnonymous(event.target.checked)}
        />
        <Checkbox
          label="Without prompts and answers"
          checked={isWithoutTexts}
          onChange={(event) => setWithoutTexts(event.target.checked)}
        />
        <FailureNotice title="Not created" failure={create.error} />
        {create.data && (
          <OnceShown title="Copy the link now" secret={create.data.url} what="link" note="It is not shown again." />
        )}
        <Loaded query={links} what="the links" rows={1} isEmpty={(view) => view.links.length === 0} empty={null}>
          {(view) => <LinkList links={view.links} selection={selection} />}
        </Loaded>
      </div>
    </Dialog>
  )
}
