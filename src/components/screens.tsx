import {
  BarChart3,
  Bot,
  Code2,
  FileText,
  FlaskConical,
  Gavel,
  Play,
  Settings,
  Wrench,
  type LucideIcon,
} from 'lucide-react'
import type { ComponentType } from 'react'
import type { Role } from '../contract/index.ts'
import { lazyScreen } from './lazy-screen.tsx'
import { matchPath, type ScreenProps } from './router.tsx'

interface MenuEntry {
  title: string
  icon: LucideIcon
  /** Goes to the screen when pressed after `g`. */
  key: string
}

interface Screen {
  path: string
  Component: ComponentType<ScreenProps>
  /** For screens in the navigation, which lists them in this order. */
  menu?: MenuEntry
  /** The navigation path the screen belongs to, if its own path does not start with it. */
  under?: string
  /** On a team server, only people with this role may use it. */
  needs?: Role
}

/** Its four views have an address each. */
const Results = lazyScreen(async () => (await import('./results/Results.tsx')).Results)

/** Every screen. Addresses, navigation and keyboard shortcuts come from this list. */
const screens: Screen[] = [
  {
    path: '/suites',
    Component: lazyScreen(async () => (await import('./suites/list/SuiteList.tsx')).SuiteList),
    menu: { title: 'Suites', icon: FileText, key: 's' },
  },
  {
    path: '/suites/:id',
    Component: lazyScreen(async () => (await import('./suites/SuiteEditor.tsx')).SuiteEditor),
  },
  {
    path: '/suites/:id/history',
    Component: lazyScreen(async () => (await import('./suites/history/SuiteHistory.tsx')).SuiteHistory),
  },
  {
    path: '/suites/:id/trend',
    Component: lazyScreen(async () => (await import('./suites/trend/SuiteTrend.tsx')).SuiteTrend),
  },
  {
    path: '/arena',
    needs: 'runner',
    Component: lazyScreen(async () => (await import('./arena/Arena.tsx')).Arena),
    menu: { title: 'Arena', icon: Play, key: 'a' },
  },
  {
    path: '/code-arena',
    Component: lazyScreen(async () => (await import('./code-arena/CodeArena.tsx')).CodeArena),
    menu: { title: 'Code Arena', icon: Code2, key: 'c' },
  },
  {
    path: '/code-arena/:runId',
    Component: lazyScreen(async () => (await import('./code-arena/CodeArenaRun.tsx')).CodeArenaRun),
  },
  {
    path: '/code-arena/:runId/edit',
    needs: 'runner',
    Component: lazyScreen(async () => (await import('./code-arena/fork/ForkPage.tsx')).ForkPage),
  },
  {
    path: '/agents',
    Component: lazyScreen(async () => (await import('./agents/Agents.tsx')).Agents),
    menu: { title: 'Agents', icon: Bot, key: 'n' },
  },
  {
    path: '/agents/:id',
    Component: lazyScreen(async () => (await import('./agents/AgentSet.tsx')).AgentSet),
  },
  {
    path: '/agents/:id/:index',
    Component: lazyScreen(async () => (await import('./agents/RecordedRun.tsx')).RecordedRun),
  },
  {
    path: '/conversations/:runId',
    Component: lazyScreen(async () => (await import('./agents/HeldConversation.tsx')).HeldConversation),
    under: '/results',
  },
  {
    path: '/results',
    Component: lazyScreen(async () => (await import('./results/runs/RunList.tsx')).RunList),
    menu: { title: 'Results', icon: BarChart3, key: 'r' },
  },
  ...['', '/cases', '/statistics', '/cost'].map((view) => ({ path: `/results/:selection${view}`, Component: Results })),
  {
    path: '/results/:selection/case',
    Component: lazyScreen(async () => (await import('./results/case/CaseView.tsx')).CaseView),
  },
  {
    path: '/results/:selection/rate',
    needs: 'runner',
    Component: lazyScreen(async () => (await import('./results/rating/RateAnswers.tsx')).RateAnswers),
  },
  {
    path: '/rankings',
    Component: lazyScreen(async () => (await import('./rankings/Rankings.tsx')).Rankings),
    under: '/results',
  },
  {
    path: '/playground',
    needs: 'runner',
    Component: lazyScreen(async () => (await import('./playground/TwoPrompts.tsx')).TwoPrompts),
    menu: { title: 'Playground', icon: FlaskConical, key: 'p' },
  },
  {
    path: '/playground/:runId',
    needs: 'runner',
    Component: lazyScreen(async () => (await import('./playground/Playground.tsx')).Playground),
    under: '/results',
  },
  {
    path: '/vote/:runId',
    needs: 'runner',
    Component: lazyScreen(async () => (await import('./comparing/VoteOnAnswers.tsx')).VoteOnAnswers),
    under: '/results',
  },
  {
    path: '/compare',
    Component: lazyScreen(async () => (await import('./results/compare/CompareRuns.tsx')).CompareRuns),
    under: '/results',
  },
  {
    path: '/compare/case',
    Component: lazyScreen(async () => (await import('./results/compare/CompareCase.tsx')).CompareCase),
    under: '/results',
  },
  {
    path: '/tool-calls',
    Component: lazyScreen(async () => (await import('./tool-calls/ToolCallFiles.tsx')).ToolCallFiles),
    menu: { title: 'Tool Calls', icon: Wrench, key: 't' },
  },
  {
    path: '/tool-calls/:id',
    Component: lazyScreen(async () => (await import('./tool-calls/ToolCallFile.tsx')).ToolCallFileScreen),
  },
  {
    path: '/judges',
    Component: lazyScreen(async () => (await import('./judges/Judges.tsx')).Judges),
    menu: { title: 'Judges', icon: Gavel, key: 'j' },
  },
  {
    path: '/judges/audits/:id',
    Component: lazyScreen(async () => (await import('./judges/audit/AuditView.tsx')).AuditView),
  },
  {
    path: '/judges/:id',
    Component: lazyScreen(async () => (await import('./judges/CalibrationView.tsx')).CalibrationView),
  },
  {
    path: '/settings',
    Component: lazyScreen(async () => (await import('./settings/Settings.tsx')).Settings),
    menu: { title: 'Settings', icon: Settings, key: ',' },
  },
  {
    path: '/settings/team',
    needs: 'admin',
    Component: lazyScreen(async () => (await import('./access/Team.tsx')).Team),
  },
  {
    path: '/account',
    Component: lazyScreen(async () => (await import('./access/Account.tsx')).AccountScreen),
  },
]

/** The screens in the navigation. */
export const menu = screens.flatMap(({ path, menu: entry, needs }) => (entry ? [{ path, needs, ...entry }] : []))

export function findScreen(path: string): { screen: Screen; params: Record<string, string> } | undefined {
  for (const screen of screens) {
    const params = matchPath(screen.path, path)
    if (params) return { screen, params }
  }
  return undefined
}

/** True if the screen at `path` belongs to this entry of the navigation. */
export function isWithin(menuPath: string, path: string): boolean {
  return path === menuPath || path.startsWith(`${menuPath}/`) || findScreen(path)?.screen.under === menuPath
}
