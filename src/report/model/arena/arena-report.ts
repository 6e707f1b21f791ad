import type { ArenaReport, ArenaReportPage, PageFindings } from '../../../contract/index.ts'
import { hideModels } from '../../sharing/hide-models.ts'
import { omitTexts } from '../../sharing/omit-texts.ts'
import type { Rename } from '../../sharing/model-aliases.ts'
import { cellStates } from '../../words/runs/states.ts'

function renameFindings(findings: PageFindings, rename: Rename): PageFindings {
  return {
    ...findings,
    console: findings.console.map(({ level, text }) => ({ level, text: rename(text) })),
    errors: findings.errors.map(rename),
    accessibility: findings.accessibility,
    blocked: findings.blocked.map(({ url, why }) => ({ url: rename(url), why: rename(why) })),
    interactions: findings.interactions.map((interaction) => ({ ...interaction, target: rename(interaction.target) })),
    ...(findings.sideways && {
      sideways: findings.sideways.map(({ element, ...scroll }) => ({ ...scroll, element: rename(element) })),
    }),
  }
}

/** The judges of a panel stand before their reasons, one a line. */
function renameJudges(reason: string, judges: readonly (readonly [string, string])[]): string {
  return reason
    .split('\n')
    .map((line) => {
      const judge = judges.find(([id]) => line.startsWith(`${id}: `))
      return judge ? judge[1] + line.slice(judge[0].length) : line
    })
    .join('\n')
}

/** A page without what names its model or gives it away: its cost, its speed and its provider's messages. */
function hidePage(
  { cost: _cost, latencyMs: _latency, error, unscored, notes, findings, gaps, ...page }: ArenaReportPage,
  { name, rename, judges }: { name: string; rename: Rename; judges: readonly (readonly [string, string])[] },
): ArenaReportPage {
  const isNamed = [page.response, ...page.files.map(({ code }) => code)].some((text) => rename(text) !== text)
  return {
    ...page,
    modelId: name,
    // A picture cannot be searched: what the code says, it may show.
    ...(isNamed && page.pictures.length > 0 && { pictures: [] }),
    files: page.files.map((file) => ({ name: rename(file.name), code: rename(file.code) })),
    response: rename(page.response),
    criteria: page.criteria.map((criterion) => ({
      ...criterion,
      reason: rename(renameJudges(criterion.reason, judges)),
    })),
    problems: [
      ...page.problems.map(rename),
      ...(isNamed && page.pictures.length > 0
        ? ['Its screenshots are left out: they may show the name of a model.']
        : []),
    ],
    // With criteria, the notes only repeat them.
    ...(notes !== undefined && page.criteria.length === 0 && { notes: rename(notes) }),
    ...(error !== undefined && { error: 'There is no page: the request failed.' }),
    ...(unscored && { unscored: { ...unscored, message: `Unscored: ${unscored.code}.` } }),
    ...(findings && { findings: renameFindings(findings, rename) }),
    ...(gaps && gaps.length > 0 && { gaps: ['Not all of the earlier turns was sent to this model.'] }),
  }
}

/** The report with `Model A`, `Model B`, … as in every other file, in the order of the leaderboard. */
export function hideNames(report: ArenaReport): ArenaReport {
  const { judgeModel, runs, calibrations, votes = [], ...rest } = report
  const hidden = hideModels({ runs, calibrations })
  const { rename, nameOf } = hidden
  const judges = (judgeModel?.split(',') ?? []).map((judge): [string, string] => [judge, nameOf(judge)])
  return {
    ...rest,
    isAnonymous: true,
    runs: hidden.runs,
    ...(hidden.calibrations && { calibrations: hidden.calibrations }),
    prompt: rename(report.prompt),
    systemPrompt: rename(report.systemPrompt),
    ...(judgeModel !== undefined && { judgeModel: judges.map(([, name]) => name).join(', ') }),
    ...(report.earlierPrompts && { earlierPrompts: report.earlierPrompts.map(rename) }),
    votes: votes.map(({ left, right, choice }) => ({ left: nameOf(left), right: nameOf(right), choice })),
    pages: report.pages
      .map((page) => hidePage(page, { name: nameOf(page.modelId), rename, judges }))
      .toSorted((a, b) => a.modelId.localeCompare(b.modelId) || (a.runNumber ?? 0) - (b.runNumber ?? 0)),
  }
}

/** A message of the program for a file that is passed on: without the addresses and folders of this machine. */
function withoutPlaces(message: string): string {
  return message
    .replaceAll(/\b[a-z][a-z0-9+.-]*:\/\/\S+/gi, '[address]')
    .replaceAll(/(?<![\w.])(?:~|[A-Za-z]:)?(?:[\\/][\w.@+-]+){2,}[\\/]?/g, '[path]')
}

/** The report without anything about the machine it was made on. What models and judges wrote stays as it is. */
export function withoutMachine(report: ArenaReport): ArenaReport {
  return {
    ...report,
    pages: report.pages.map(({ error, unscored, notes, gaps, ...page }) => ({
      ...page,
      problems: page.problems.map(withoutPlaces),
      ...(notes !== undefined && { notes: withoutPlaces(notes) }),
      ...(error !== undefined && { error: withoutPlaces(error) }),
      ...(unscored && { unscored: { ...unscored, message: withoutPlaces(unscored.message) } }),
      ...(gaps && { gaps: gaps.map(withoutPlaces) }),
    })),
  }
}

/** The report without prompts, code, pictures and explanations: grades, counts and votes. */
export function leaveOutPages(report: ArenaReport): ArenaReport {
  const { earlierPrompts: _prompts, ...rest } = report
  return {
    ...rest,
    ...omitTexts({ runs: report.runs }),
    isWithoutTexts: true,
    prompt: 'The prompt is left out.',
    systemPrompt: '',
    pages: report.pages.map(({ findings, notes: _notes, error, unscored, gaps: _gaps, ...page }) => ({
      ...page,
      files: [],
      response: '',
      pictures: [],
      problems: [],
      criteria: page.criteria.map((criterion) => ({ ...criterion, reason: '' })),
      ...(findings && {
        findings: {
          console: [],
          errors: findings.errors.map(() => 'left out'),
          accessibility: findings.accessibility,
          blocked: [],
          interactions: [],
        },
      }),
      ...(error !== undefined && { error: 'There is no page: the request failed.' }),
      ...(unscored && { unscored: { ...unscored, message: `Unscored: ${unscored.code}.` } }),
    })),
  }
}

/** Why a page has no score; undefined if it has one. */
export function whyUnscored({ error, unscored, score }: ArenaReportPage): string | undefined {
  return error ?? unscored?.message ?? (score === undefined ? cellStates.skipped.word : undefined)
}
