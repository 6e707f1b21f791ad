export type PanelTab = 'preview' | 'code' | 'console' | 'findings'

const all: readonly PanelTab[] = ['preview', 'code', 'console', 'findings']

/** Before the vote there are no findings: they are part of the grade, and their pictures have the model in their address. */
export function listPanelTabs(isBlind: boolean): readonly PanelTab[] {
  return isBlind ? all.filter((tab) => tab !== 'findings') : all
}

export function readPanelTab(text: string | null, tabs: readonly PanelTab[]): PanelTab {
  return tabs.find((tab) => tab === text) ?? 'preview'
}
