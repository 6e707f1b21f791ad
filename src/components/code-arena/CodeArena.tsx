import { useMay } from '../access/session.ts'
import { navigate, useAddress } from '../router.tsx'
import { Page } from '../ui/Page.tsx'
import { Tabs } from '../ui/Tabs.tsx'
import { ArenaHistory } from './history/ArenaHistory.tsx'
import { VoteQueue } from './vote/VoteQueue.tsx'
import { NewArenaRun } from './NewArenaRun.tsx'
import { ArenaRanking } from './ranking/ArenaRanking.tsx'

const names = ['new', 'history', 'vote', 'ranking']

/** Models build web pages, which are judged, voted on and ranked. */
export function CodeArena() {
  const [query] = useAddress()
  const mayRun = useMay('runner')
  const asked = names.find((name) => name === query.get('tab')) ?? 'new'
  // Viewers of a team server neither start runs nor vote.
  const tab = mayRun || (asked !== 'new' && asked !== 'vote') ? asked : 'history'
  return (
    <Page
      title="Code Arena"
      subtitle="Have models write a web page, watch the pages appear side by side, have them judged, and vote blind."
    >
      <Tabs
        label="Code Arena views"
        value={tab}
        onChange={(id) => navigate(id === 'new' ? '/code-arena' : `/code-arena?tab=${id}`)}
        tabs={[
          ...(mayRun ? [{ id: 'new', label: 'New', content: <NewArenaRun /> }] : []),
          { id: 'history', label: 'History', content: <ArenaHistory /> },
          ...(mayRun
            ? [{ id: 'vote', label: 'Vote', content: <VoteQueue runId={query.get('run') ?? undefined} /> }]
            : []),
          { id: 'ranking', label: 'Ranking', content: <ArenaRanking /> },
        ]}
      />
    </Page>
  )
}
