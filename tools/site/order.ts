/**
 * The documentation's sidebar: every page of docs/ in reading order. A page that is in no group appears in the last one,
 * and `test/site.test.ts` asks for its place.
 */
interface PlacedPage {
  /** The page's path in docs/, without `.md`. */
  name: string
  /** What a reader finds there, for the start page: the rest of a line after the title and a colon. */
  summary: string
}

export interface PageGroup {
  title: string
  pages: PlacedPage[]
}

const page = (name: string, summary: string): PlacedPage => ({ name, summary })

export const groups: PageGroup[] = [
  {
    title: 'Start here',
    pages: [
      page('tutorial', 'five minutes from an empty folder to a report, without a key.'),
      page('first-run', 'keys, costs, reading the results, and what happens when something fails.'),
      page('web-app', 'the screens, keyboard shortcuts and access control.'),
    ],
  },
  {
    title: 'Use it',
    pages: [
      page('importing', 'suites and results of other tools, and what is wrong with a suite.'),
      page('reports', 'reports for people who were not there.'),
      page('rankings', 'models ranked over many suites, and scores that drift over time.'),
      page('spending-less', 'stopping when the question is settled, and half-price batches.'),
      page('limits', 'limits of providers, and how requests are spread below them.'),
      page('continuous-integration', 'gates, exit codes and pull requests.'),
      page('code-arena', 'pages that models write, side by side.'),
      page('partial-scoring', 'partial credit for agents that call tools.'),
      page('agents', 'Benchmaker as a tool of coding agents.'),
    ],
  },
  {
    title: 'Judge',
    pages: [
      page('judges', 'choosing, calibrating and reporting a judge.'),
      page('judge-audits', 'what sways a judge besides the quality of an answer.'),
      page('pairwise-and-rubrics', 'judges that check, compare and disagree.'),
    ],
  },
  {
    title: 'Statistics',
    pages: [page('methodology', 'every formula with its source, and how often it is right.')],
  },
  {
    title: 'Team server',
    pages: [
      page('team-server', 'one server for a team.'),
      page('access', 'who may sign in, and who may do what.'),
      page('workers', 'many machines that work on the same runs.'),
      page('scale', 'large suites and many runs, with figures.'),
      page('security', 'who is trusted with what.'),
    ],
  },
  {
    title: 'Extend',
    pages: [
      page('extending', 'your own scorer, provider and report format.'),
      page('architecture', 'how it is built, on one page.'),
      page('contributing', 'a recipe for each kind of change.'),
    ],
  },
]

/** Folders of docs/ whose pages form a group of their own. */
export const folderTitles: Record<string, string> = { decisions: 'Decisions' }
