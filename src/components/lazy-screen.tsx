import { useEffect, useState, type ComponentType } from 'react'
import type { ScreenProps } from './router.tsx'
import { Loading } from './ui/Notice.tsx'

type Screen = ComponentType<ScreenProps>

/**
 * A screen whose code is loaded when it is first shown. Not React's `lazy`: that holds a loaded component back until 0.3
 * seconds after the fallback appeared, so every screen would take that long. A load that fails is thrown.
 */
export function lazyScreen(load: () => Promise<Screen>): Screen {
  let loaded: Screen | undefined
  return function LazyScreen(props: ScreenProps) {
    const [Shown, show] = useState(() => loaded)
    const [failure, fail] = useState<{ error: unknown }>()
    useEffect(() => {
      if (loaded) {
        show(() => loaded)
        return undefined
      }
      let isWanted = true
      load().then(
        (component) => {
          loaded = component
          if (isWanted) show(() => component)
        },
        (error: unknown) => isWanted && fail({ error }),
      )
      return () => {
        isWanted = false
      }
    }, [])
    if (failure) throw failure.error
    if (Shown) return <Shown {...props} />
    return (
      <div className="p-6">
        <Loading label="Loading the screen …" />
      </div>
    )
  }
}
