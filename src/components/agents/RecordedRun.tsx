import { useQuery } from '@tanstack/react-query'
import { ChevronLeft, ChevronRight } from 'lucide-react'
import { parseExactJson } from '../../contract/index.ts'
import { formatCost, formatCount, formatDuration } from '../../report/words/index.ts'
import { nameTrajectory, nameTrajectoryFormat } from '../../report/words/tool-calls/trajectory-words.ts'
import type { RecordedRun as Recorded } from '../../server/trajectories/routes.ts'
import { api } from '../api.ts'
import { Link, useAddress, type ScreenProps } from '../router.tsx'
import { buttonClass } from '../ui/Button.tsx'
import { Loaded } from '../ui/Loaded.tsx'
import { ModelName } from '../ui/names/ModelName.tsx'
import { BackLink, Page } from '../ui/Page.tsx'
import { Conversation } from './conversation/Conversation.tsx'
import { ExportRun } from './ExportRun.tsx'
import { useSet } from './use-set.ts'

const LONGEST_TITLE = 90

function recordedTitle({ trajectory }: Recorded): string {
  const asked = trajectory.steps.find(({ source, isInjected }) => source === 'user' && !isInjected)?.text ?? ''
  const title = asked.replaceAll(/\s+/g, ' ').trim()
  if (title === '') return nameTrajectory(trajectory)
  return title.length > LONGEST_TITLE ? `${title.slice(0, LONGEST_TITLE)}…` : title
}

/** One recorded run: its conversation, with its grade. */
export function RecordedRun({ params }: ScreenProps) {
  const { id = '', index = '' } = params
  const [address, changeAddress] = useAddress()
  const set = useSet(id)
  const run = useQuery({
    queryKey: ['trajectories', id, 'run', index],
    queryFn: async () => {
      const reply = await api.trajectories[':id'].runs[':index'].$get({ param: { id, index } })
      return parseExactJson<Recorded>(await reply.text())
    },
    staleTime: 60_000,
  })
  const count = set.data?.rows.length ?? 0
  const to = (place: number) => `/agents/${encodeURIComponent(id)}/${place}`
  const at = Number(index)
  return (
    <Loaded query={run} what="the recorded run" page="Recorded run" back={{ to: '/agents', label: 'Agents' }}>
      {(recorded) => {
        const { trajectory, grade, claims } = recorded
        return (
          <Page
            title={recordedTitle(recorded)}
            subtitle={
              <span className="flex min-w-0 flex-wrap gap-x-2 [&>span:not(:last-child)]:after:ml-2 [&>span:not(:last-child)]:after:text-line-strong [&>span:not(:last-child)]:after:content-['·']">
                {trajectory.model !== null && (
                  <span className="inline-flex max-w-full min-w-0">
                    <ModelName id={trajectory.model} />
                  </span>
                )}
                <span>{nameTrajectoryFormat(trajectory.format)}</span>
                {trajectory.task !== null && <span className="break-all">task {trajectory.task}</span>}
                {trajectory.trial !== null && <span>trial {trajectory.trial}</span>}
                <span>{formatCount(trajectory.steps.length, 'message')}</span>
                {trajectory.seconds !== null && <span>{formatDuration(trajectory.seconds * 1000)}</span>}
                {trajectory.cost !== null && <span>{formatCost(trajectory.cost)}</span>}
              </span>
            }
            actions={
              <>
                {at > 0 && (
                  <Link to={to(at - 1)} className={buttonClass()}>
                    <ChevronLeft size={15} aria-hidden /> Previous
                  </Link>
                )}
                {at + 1 < count && (
                  <Link to={to(at + 1)} className={buttonClass()}>
                    Next <ChevronRight size={15} aria-hidden />
                  </Link>
                )}
                <ExportRun id={id} index={index} />
              </>
            }
          >
            <BackLink to={`/agents/${encodeURIComponent(id)}`}>{set.data?.about.name ?? 'Recorded runs'}</BackLink>
            <Conversation
              key={`${id} ${index}`}
              trajectory={trajectory}
              grade={grade}
              claims={claims}
              step={address.get('step') ?? undefined}
              onStep={(step) => changeAddress({ step })}
            />
          </Page>
        )
      }}
    </Loaded>
  )
}
