import { Page } from '../ui/Page.tsx'

export function CodeArena() {
  return <Page title="Code Arena">…</Page>
}
