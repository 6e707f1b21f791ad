import { useEffect, useState, type ComponentType } from 'react'
import type { ScreenProps } from './router.tsx'
import { Button } from './ui/Button.tsx'
import { Loading, Notice } from './ui/Notice.tsx'
import { Page } from './ui/Page.tsx'

type Screen = ComponentType<ScreenProps>

/**
 * A screen whose code is loaded when it is first shown. React's `lazy` would show the fallback for at least 0.3
 * seconds, even if the code loads sooner.
 */
export function lazyScreen(load: () => Promise<Screen>): Screen {
  let loaded: Screen | undefined
  return function LazyScreen(props: ScreenProps) {
    const [Shown, show] = useState(() => loaded)
    const [hasFailed, fail] = useState(false)
    useEffect(() => {
      if (loaded) {
        show(() => loaded)
        return undefined
      }
      let isMounted = true
      load().then(
        (component) => {
          loaded = component
          if (isMounted) show(() => component)
        },
        () => isMounted && fail(true),
      )
      return () => {
        isMounted = false
      }
    }, [])
    if (Shown) return <Shown {...props} />
    if (hasFailed)
      return (
        <Page title="Cannot reach Benchmaker">
          <Notice
            kind="error"
            title="This screen could not be loaded"
            action={<Button onClick={() => window.location.reload()}>Reload</Button>}
          >
            Benchmaker is not responding, or it was updated. Check that it is running in its terminal, then reload.
            Everything stored is safe.
          </Notice>
        </Page>
      )
    return (
      <div className="p-6">
        <Loading label="Loading…" />
      </div>
    )
  }
}
